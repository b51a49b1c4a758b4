import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { expiredSession, laura, serve, sessionKey } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { usersKey } from './users.ts'
import { AdminPage } from '#staff/admin-page.tsx'

test('the bank’s total liabilities are read again immediately after a user is deleted', async () => {
  let customers = [listed('Ana')]
  const sums = () => ({
    customers: customers.length,
    owed: customers.length * 10,
    total: customers.length * 10,
    overdrawn: 0,
    noted: 0,
    days: [],
  })
  await serveBank((path) => {
    if (path.endsWith('/sum_bank')) return Response.json(sums())
    if (path.endsWith('/manage-users')) customers = []
    return Response.json(path.endsWith('/list_customers') ? listOf(customers) : {})
  })
  vi.stubGlobal('confirm', () => true)
  open('/admin')
  expect(await screen.findByText(/1 cuenta$/)).not.toBeNull()

  await pressDelete()

  expect(await screen.findByText(/0 cuentas$/)).not.toBeNull()
})

test('if the session is old, a confirmed deletion asks for the password once', async () => {
  const session = { ...expiredSession(), expires_at: Math.floor(Date.now() / 1000) + 3600 }
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  const deletions: unknown[] = []
  let isProven = false
  await serveBank((path, body, { method }) => {
    if (path === '/auth/v1/user' && method === 'PUT') {
      isProven = true
      return Response.json(session.user)
    }
    if (path.endsWith('/list_customers')) return Response.json(listOf([listed('Ana')]))
    if (!path.endsWith('/manage-users')) return undefined
    deletions.push(body)
    const refusal = { error: 'Confirma tu contraseña para continuar.', code: 'reauthentication_needed' }
    return isProven ? undefined : Response.json(refusal, { status: 403 })
  })
  const questions: unknown[] = []
  vi.stubGlobal('confirm', (question: unknown) => questions.push(question) > 0)
  open('/admin')
  await pressDelete()
  expect(await screen.findByText('Escribe tu contraseña para eliminar este usuario.')).not.toBeNull()
  await userEvent.type(screen.getByLabelText('Contraseña'), 'la mía{Enter}')

  expect(await screen.findByText('Usuario eliminado.')).not.toBeNull()
  // Enter in the list's own search field opens the first user.
  expect(window.location.pathname).toBe('/admin')
  expect(questions).toEqual(['¿Estás seguro de que quieres eliminar este usuario?'])
  expect(deletions).toHaveLength(2)
})

test('a refused deletion shows the reason', async () => {
  await serveBank((path) => {
    if (path.endsWith('/list_customers')) return Response.json(listOf([listed('Ana')]))
    if (!path.endsWith('/manage-users')) return undefined
    return Response.json({ error: 'El banco no puede quedarse sin administrador.' }, { status: 409 })
  })
  vi.stubGlobal('confirm', () => true)
  open('/admin')
  await pressDelete()

  expect(await screen.findByText('Error al eliminar')).not.toBeNull()
  expect(screen.getByText('El banco no puede quedarse sin administrador.')).not.toBeNull()
  expect(screen.getByRole('link', { name: 'Ana' })).not.toBeNull()
})

test('administrators get no button to delete themselves', async () => {
  await serveBank((path) =>
    path.endsWith('/list_customers')
      ? Response.json(listOf([{ ...listed('Laura'), id: laura.id }]))
      : undefined,
  )
  open('/admin')
  await userEvent.click(await screen.findByRole('button', { name: /^Más acciones/ }))

  expect(await screen.findByRole('button', { name: /^Editar rol/ })).not.toBeNull()
  expect(screen.queryByRole('button', { name: /^Eliminar/ })).toBeNull()
})

test('the arrow keys move from the search field through the users, and D and G open a new transaction', async () => {
  await serveBank((path) =>
    path.endsWith('/list_customers') ? Response.json(listOf([listed('Ana'), listed('Berta')])) : undefined,
  )
  open('/admin')
  await screen.findByRole('link', { name: 'Berta' })
  screen.getByRole('searchbox').focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Berta' }))

  await userEvent.keyboard('g')
  expect((await screen.findByRole('dialog')).textContent).toContain('Berta')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Gasto' }).checked).toBe(true)
  await userEvent.keyboard('{Escape}{ArrowUp}{d}')
  expect((await screen.findByRole('dialog')).textContent).toContain('Ana')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Depósito' }).checked).toBe(true)
})

test('Enter in the search opens the first user that matches the new text', async () => {
  await serveBank((path, body) =>
    path.endsWith('/list_customers')
      ? Response.json(listOf([listed((body as { search: string }).search === '' ? 'Ana' : 'Berta')]))
      : undefined,
  )
  open('/admin')
  await screen.findByRole('link', { name: 'Ana' })

  await userEvent.type(screen.getByRole('searchbox'), 'berta{Enter}')

  await waitFor(() => expect(window.location.pathname).toBe('/admin/clientes/Berta'))
})

test('the user list is requested with the order and filter that staff choose', async () => {
  const read: unknown[] = []
  await serveBank((path, body) => {
    if (!path.endsWith('/list_customers')) return undefined
    read.push(body)
    return Response.json(listOf([listed('Ana')]))
  })
  open('/admin')
  await userEvent.click(await screen.findByRole('button', { name: 'Último movimiento' }))
  await userEvent.selectOptions(screen.getByLabelText('Mostrar'), 'Saldo negativo en el banco · 1')

  await waitFor(() =>
    expect(read.at(-1)).toMatchObject({ state: 'overdrawn', sort: 'last_transaction', is_descending: true }),
  )
  expect(window.location.search).toBe('?orden=-movimiento&mostrar=negativo')
})

const failed = () => Response.json({ code: '42501', message: 'permission denied' }, { status: 403 })
const isSpecified = (path: string) => path === '/rest/v1/profiles'
const specified = (name: string, role = 'user') => ({
  id: name,
  full_name: name,
  role,
  user_safe: { email: `${name}@correo.co`, last_sign_in_at: null },
})
const failureText = 'No se pudieron cargar los usuarios. Es posible que no tengas permisos de administrador.'

test('the users of the specified read are listed if the bank does not answer anything else', async () => {
  await serve((path) =>
    isSpecified(path) ? Response.json([specified('Zoé'), specified('Ana', 'admin')]) : failed(),
  )
  open('/admin')

  const names = async () =>
    (await screen.findAllByRole('row')).slice(1).map((row) => row.querySelector('a')?.textContent)
  await screen.findByRole('link', { name: 'Zoé' })
  expect(await names()).toEqual(['Ana', 'Zoé'])
  expect(screen.getByRole('link', { name: 'Zoé' }).closest('tr')?.textContent).toContain(
    'Zoé@correo.coCliente——',
  )
  expect(screen.queryByText(failureText)).toBeNull()
  await userEvent.type(screen.getByRole('searchbox'), 'ZOE cliente')
  await waitFor(async () => expect(await names()).toEqual(['Zoé']))
})

test('a list that is not read again keeps its users and their balances until it is read again', async () => {
  let isFailing = false
  const pages: unknown[] = []
  await serveBank((path, body) => {
    if (!path.endsWith('/list_customers')) return undefined
    pages.push((body as { after_id?: string }).after_id)
    return isFailing ? failed() : Response.json(listOf([listed('Ana')]))
  })
  const client = createQueryClient()
  open('/admin', client)
  const rowText = () => screen.getByRole('link', { name: 'Ana' }).closest('tr')?.textContent
  await screen.findByRole('link', { name: 'Ana' })
  const before = rowText()
  isFailing = true
  await client.invalidateQueries({ queryKey: usersKey })

  const retry = await screen.findByRole('button', { name: 'Reintentar' })
  expect(rowText()).toBe(before)
  expect(before).toContain('$10.00')
  isFailing = false
  await userEvent.click(retry)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull())
  expect(pages).toEqual([undefined, undefined, undefined])
})

test('the next page of the list begins after the last user of the page before', async () => {
  const pages: unknown[] = []
  await serveBank((path, body) => {
    if (!path.endsWith('/list_customers')) return undefined
    const { after_key, after_id } = body as { after_key?: string; after_id?: string }
    pages.push([after_key, after_id])
    const isFirst = after_id === undefined
    const end = isFirst ? { end_key: 'ana', end_id: 'a', total: null, overdrawn: null } : {}
    return Response.json({ ...listOf([listed(isFirst ? 'Ana' : 'Zoé')]), ...end })
  })
  open('/admin')
  expect(await screen.findByText('más de 1 usuario')).not.toBeNull()
  expect(screen.getByRole('option', { name: 'Saldo negativo en el banco' })).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar más' }))

  expect(await screen.findByRole('link', { name: 'Zoé' })).not.toBeNull()
  expect(screen.getByRole('link', { name: 'Ana' })).not.toBeNull()
  expect(pages).toEqual([
    [undefined, undefined],
    ['ana', 'a'],
  ])
})

test('the list says that there are more than ten thousand users, which the bank does not count', async () => {
  await serveBank((path) =>
    path.endsWith('/list_customers')
      ? Response.json({ ...listOf([listed('Ana')]), total: 10_001, overdrawn: 10_001, blocked: 10_000 })
      : undefined,
  )
  open('/admin')

  expect(await screen.findByText('más de 10.000 usuarios')).not.toBeNull()
  expect(screen.getByRole('option', { name: 'Saldo negativo en el banco · más de 10.000' })).not.toBeNull()
  expect(screen.getByRole('option', { name: 'Bloqueados · 10.000' })).not.toBeNull()
})

test('if the specified read fails, the list is empty and shows the error', async () => {
  let isFailing = true
  await serve((path) => {
    if (isSpecified(path)) return isFailing ? failed() : Response.json([])
    return path.endsWith('/list_customers') ? Response.json(listOf([listed('Ana')])) : undefined
  })
  open('/admin')

  expect((await screen.findByText(failureText)).parentElement?.textContent).toBe(`Error${failureText}`)
  expect(screen.queryByRole('link', { name: 'Ana' })).toBeNull()
  isFailing = false
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }))
  expect(await screen.findByRole('link', { name: 'Ana' })).not.toBeNull()
})

test('the specified read is sent at each opening and after each success', async () => {
  const sent: string[] = []
  await serve((path, _, { query }) => {
    if (path.endsWith('/list_customers')) return Response.json(listOf([listed('Ana')]))
    if (!isSpecified(path)) return Response.json({})
    sent.push(query)
    return Response.json([specified('Ana')])
  })
  vi.stubGlobal('confirm', () => true)
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { staleTime: 1000 } })
  open('/admin', client)
  await pressDelete()
  await waitFor(() => expect(sent).toHaveLength(2))
  cleanup()
  open('/admin', client)
  await waitFor(() => expect(sent).toHaveLength(3))

  const select = 'id,full_name,role,user_safe(email,last_sign_in_at)'
  expect(new Set(sent.map((query) => decodeURIComponent(query)))).toEqual(new Set([`?select=${select}`]))
})

function open(address: string, client = createQueryClient()) {
  window.history.replaceState(null, '', address)
  renderPart(
    <AddressProvider>
      <AdminPage />
      <Toaster />
    </AddressProvider>,
    client,
  )
}

/** Answers like a bank whose specified read of the users succeeds. */
async function serveBank(answer: Parameters<typeof serve>[0]): Promise<void> {
  await serve((path, body, request) => (isSpecified(path) ? Response.json([]) : answer(path, body, request)))
}

async function pressDelete() {
  await userEvent.click(await screen.findByRole('button', { name: /^Más acciones/ }))
  await userEvent.click(await screen.findByRole('button', { name: /^Eliminar/ }))
}

const listed = (name: string) => ({
  id: name,
  full_name: name,
  email: `${name}@correo.co`,
  role: 'user',
  last_sign_in_at: null,
  is_confirmed: true,
  is_blocked: false,
  balance: 10,
  last_date: null,
  last_description: null,
})

const listOf = (customers: readonly object[]) => ({
  total: customers.length,
  overdrawn: 1,
  blocked: 0,
  unconfirmed: 0,
  customers,
  end_key: null,
  end_id: null,
})
