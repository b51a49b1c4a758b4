import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { expiredSession, laura, serve, sessionKey } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { AdminPage } from '#features/admin/admin-page.tsx'

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
  await serve((path) => {
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
  await serve((path, body, { method }) => {
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
  expect(questions).toEqual(['¿Estás seguro de que quieres eliminar este usuario?'])
  expect(deletions).toHaveLength(2)
})

test('a refused deletion shows the reason', async () => {
  await serve((path) => {
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
  await serve((path) =>
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
  await serve((path) =>
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
  await serve((path, body) =>
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
  await serve((path, body) => {
    if (!path.endsWith('/list_customers')) return undefined
    read.push(body)
    return Response.json(listOf([listed('Ana')]))
  })
  open('/admin')
  await userEvent.click(await screen.findByRole('button', { name: 'Último movimiento' }))
  await userEvent.selectOptions(screen.getByLabelText('Mostrar'), 'Saldo negativo · 1')

  await waitFor(() =>
    expect(read.at(-1)).toMatchObject({ state: 'overdrawn', sort: 'last_transaction', is_descending: true }),
  )
  expect(window.location.search).toBe('?orden=-movimiento&mostrar=negativo')
})

function open(address: string) {
  window.history.replaceState(null, '', address)
  renderPart(
    <AddressProvider>
      <AdminPage />
      <Toaster />
    </AddressProvider>,
  )
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
})
