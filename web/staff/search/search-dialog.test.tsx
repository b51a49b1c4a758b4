import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { SearchKey } from './search-key.tsx'

const searches: unknown[] = []
const laura = { id: 'laura', full_name: 'Laura Restrepo', email: 'laura@correo.co', balance: 10 }
const found = {
  user_id: 'laura',
  full_name: 'Laura Restrepo',
  email: 'laura@correo.co',
  id: 't1',
  type: 'deposit',
  description: 'Nómina',
  amount: 1450000,
  date: '2026-11-20T12:00:00Z',
}

beforeEach(async () => {
  searches.length = 0
  await serve((path, body) => {
    if (!path.endsWith('/search_bank')) return undefined
    searches.push(body)
    const isName = (body as { search: string }).search === 'restrepo laura'
    return Response.json({ customers: isName ? [laura] : [], transactions: isName ? [] : [found] })
  })
})

test('Ctrl+K opens the search on any page, and Enter opens the first customer found', async () => {
  open('/transacciones')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('searchbox'), 'restrepo laura')
  expect(await screen.findByText('Intro abre «Laura Restrepo».')).not.toBeNull()
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(window.location.pathname).toBe('/admin/clientes/laura'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the slash key opens the search only on administration pages', async () => {
  open('/transacciones')
  await userEvent.keyboard('/')
  expect(screen.queryByRole('dialog')).toBeNull()
  clearPage()

  open('/admin/abonos')
  await userEvent.keyboard('/')
  expect(await screen.findByRole('dialog', { name: 'Buscar en el banco' })).not.toBeNull()
})

test('a search for an amount leads to the transaction on the customer’s page', async () => {
  open('/admin')
  await userEvent.keyboard('/')
  await userEvent.type(await screen.findByRole('searchbox'), '1.450.000')
  const result = await screen.findByRole('link', { name: /^Nómina/ })

  expect(searches.at(-1)).toEqual({ search: '1.450.000', amount: 1450000 })
  await userEvent.click(result)
  expect(window.location.pathname + window.location.search).toBe(
    '/admin/clientes/laura?buscar=N%C3%B3mina&minimo=1450000&maximo=1450000',
  )
})

test('the G key opens the form for a new expense of the selected customer', async () => {
  open('/admin')
  await userEvent.keyboard('/')
  await userEvent.type(await screen.findByRole('searchbox'), 'restrepo laura')
  await screen.findByRole('link', { name: /^Laura/ })
  await userEvent.keyboard('{ArrowDown}g')

  expect((await screen.findByRole('dialog', { name: 'Nueva transacción' })).textContent).toContain(
    'Laura Restrepo',
  )
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Gasto' }).checked).toBe(true)
})

function open(address: string) {
  window.history.replaceState(null, '', address)
  renderPart(
    <AddressProvider>
      <SearchKey />
    </AddressProvider>,
  )
}
