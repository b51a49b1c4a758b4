import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { accountRow, beneficiaryRow } from '#testing/transfer-rows.ts'
import { CustomerSearchKey } from './customer-search-key.tsx'

const asked: string[] = []
const lunch = {
  id: 't1',
  type: 'expense',
  description: 'Almuerzo en Crepes',
  amount: 12.5,
  date: '2026-11-20T12:00:00Z',
}
const payee = beneficiaryRow({ id: 'p1', name: 'Andrés' })

beforeEach(async () => {
  asked.length = 0
  window.history.replaceState(null, '', '/perfil')
  await serve(
    (path, _, { query }) => {
      if (path.endsWith('/transactions')) {
        asked.push(decodeURIComponent(query))
        return Response.json([lunch])
      }
      if (path.endsWith('/beneficiaries')) return Response.json([payee])
      if (path.endsWith('/transfer_account')) return Response.json(accountRow())
      return Response.json([])
    },
    { features: ['transferencias'] },
  )
  renderPart(
    <AddressProvider>
      <CustomerSearchKey />
    </AddressProvider>,
  )
  await userEvent.keyboard('{Control>}k{/Control}')
})

test('Ctrl+K shows a customer all pages, and Enter opens the first page with the typed name', async () => {
  const dialog = await screen.findByRole('dialog', { name: 'Buscar' })
  const pages = within(dialog).getByRole('region', { name: 'Páginas' })
  expect(within(pages).getAllByRole('link')).toHaveLength(12)

  await type('categorias')
  await screen.findByText('Intro abre «Categorías».')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(window.location.pathname).toBe('/categorias'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a customer finds a transaction by a part of its description', async () => {
  await type('crepes')
  const found = await screen.findByRole('link', { name: /^Almuerzo en Crepes/ })

  expect(asked.at(-1)).toContain('description=ilike.%crepes%')
  await userEvent.click(found)
  expect(window.location.pathname + window.location.search).toBe(
    '/transacciones?buscar=Almuerzo+en+Crepes&minimo=12.5&maximo=12.5',
  )
})

test('signs that the bank would read as wildcards are searched as they are typed', async () => {
  await type('100%_a*b')
  await screen.findByRole('link', { name: /^Almuerzo/ })

  expect(asked.at(-1)).toContain(String.raw`description=ilike.%100\%\_a_b%`)
})

test('a beneficiary leads to a new transfer to this beneficiary', async () => {
  await type('andres')
  await userEvent.click(await screen.findByRole('link', { name: /^Andrés/ }))

  expect(window.location.pathname + window.location.search).toBe('/transferencias?nueva=p1')
})

async function type(text: string) {
  await userEvent.type(await screen.findByRole('searchbox'), text)
}
