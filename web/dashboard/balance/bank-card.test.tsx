import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { AmountsEye } from '#amounts/money-text.tsx'
import { applyBudget } from '#data/changes.ts'
import { serve } from '#testing/page.ts'
import { createQueryClient, renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BankCard } from './bank-card.tsx'

const now = new Date('2026-11-28T15:00:00Z')

// tests/e2e/dashboard.test.ts tests the toast of a bank without transfers.
test('in a bank with transfers, the button opens the form for a new transfer', async () => {
  await serve(() => Response.json([]), { features: ['transferencias'] })

  draw()

  const link = screen.getByRole('link', { name: 'Solicitar Transferencia' })
  expect(link.getAttribute('href')).toBe('/transferencias?nueva=1')
})

test('while the balance contains notes, the plate says how much the bank holds and how much was noted', async () => {
  await serveBudget({ balance: -12.5, noted: -12.5 })

  const client = draw()

  const line = await screen.findByRole('button', { name: 'En el banco $0.00 · anotaste $12.50 de gastos' })
  applyBudget(client, { user_id: 'u', balance: 80, noted: -20, monthly_limit: null })
  await screen.findByRole('button', { name: 'En el banco $100.00 · anotaste $20.00 de gastos' })
  await userEvent.click(line)
  expect(await screen.findByRole('dialog', { name: '¿Por qué este saldo?' })).toBeDefined()
})

test('without notes, the plate shows the balance alone', async () => {
  await serveBudget({ balance: 100, noted: 0 })

  draw()

  await screen.findByText('$100.00')
  expect(screen.queryByText(/En el banco/)).toBeNull()
})

test('hidden amounts are hidden in the parts of the balance too', async () => {
  await serveBudget({ balance: 87.5, noted: -12.5 })
  draw()
  const line = await screen.findByRole('button', { name: /^En el banco/ })

  fireEvent.click(screen.getByRole('button', { name: 'Ocultar cifras' }))

  expect(line.textContent).toBe('En el banco ••••••Cifra oculta · anotaste ••••••Cifra oculta de gastos')
  fireEvent.click(screen.getByRole('button', { name: 'Ocultar cifras' }))
})

function serveBudget({ balance, noted }: { balance: number; noted: number }) {
  return serve((path) => {
    if (path.endsWith('/budgets')) return Response.json({ balance })
    if (path.endsWith('/rpc/sum_transactions'))
      return Response.json({ balance, held: balance, noted, months: [], days: [] })
    return undefined
  })
}

function draw() {
  const client = createQueryClient()
  renderPart(
    <AddressProvider>
      <AmountsEye />
      <BankCard userId="u" now={now} className="" />
    </AddressProvider>,
    client,
  )
  return client
}
