import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { AccountsPage } from './accounts-page.tsx'
import { DocumentsPage } from './documents-page.tsx'

const headings = () => screen.getAllByRole('heading').map(({ textContent }) => textContent)

test('the real account comes first in Cuentas, and the three specified cards keep their order', async () => {
  await serve(() => Response.json({ balance: 87.5 }))

  renderPart(
    <AddressProvider>
      <AccountsPage />
    </AddressProvider>,
  )

  expect(await screen.findByText('$87.50')).toBeDefined()
  expect(headings()).toEqual([
    'Cuentas',
    'Cuenta Finanzas',
    'Añade otras cuentas',
    'Cuenta de Ahorros',
    'Tarjeta de Crédito',
    'Cuenta Corriente',
  ])
})

test('the statements that open come first in Documentos, and the two samples keep their order', async () => {
  await serve(() => Response.json([]))

  renderPart(
    <AddressProvider>
      <DocumentsPage />
    </AddressProvider>,
  )

  expect(headings()).toEqual([
    'Documentos Financieros',
    'Tus extractos',
    'Otros documentos',
    'Extracto bancario - Octubre 2026.pdf',
    'Declaración de renta 2025.pdf',
  ])
})

test('Cuentas shows the two parts of a balance that the customer’s notes lower', async () => {
  await serve((_path, _body, { query }) =>
    Response.json(query.includes('noted') ? { noted: -12.5 } : { balance: -12.5 }),
  )

  renderPart(
    <AddressProvider>
      <AccountsPage />
    </AddressProvider>,
  )

  const parts = await screen.findByRole('button', { name: /^En el banco/ })
  expect(parts.textContent).toBe('En el banco $0.00 · anotaste $12.50 de gastos')
})
