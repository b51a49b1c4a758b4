import { QueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { serve } from '#testing/page.ts'
import { renderPart, renderWithToasts } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BudgetCard } from './budget-card.tsx'

const expenseOf = (amount: number) => ({
  type: 'expense' as const,
  category: 'Comida',
  recorded_by: 'customer' as const,
  transactions: 1,
  amount,
})
const now = new Date('2026-11-20T15:00:00Z')

beforeEach(() => serve(() => Response.json([])))
test('the budget card without a limit shows the month’s spending and links to the category limits', () => {
  show(null)

  expect(screen.getByText('Aún no has fijado un límite para todo el mes.')).not.toBeNull()
  expect(screen.getByText('Este mes no hay gastos todavía.')).not.toBeNull()
  const link = screen.getByRole('link', { name: 'Presupuesto por categoría' })
  expect(link.getAttribute('href')).toBe('/presupuesto')
  expect(screen.getByRole('button', { name: 'Editar presupuesto mensual' })).not.toBeNull()
})

test('the budget card with a limit also links to the category limits', () => {
  show(100)

  expect(screen.queryByText(/^Aún no has fijado/)).toBeNull()
  expect(screen.getByRole('link', { name: 'Presupuesto por categoría' })).not.toBeNull()
})

test.each([
  ['names what is left of the limit', 80, '$80.00de $100.50$20.50 por gastar'],
  ['names nothing left once the limit is exceeded', 120, '$120.00de $100.50'],
])('the budget card %s', async (_, spent, sentence) => {
  show(100.5, spent)
  await screen.findByText('En qué se fue')

  expect(screen.getByText(/^de/).closest('p')?.textContent).toBe(sentence)
})

test('a limit that is saved before the month’s spending was read promises no rest', async () => {
  await serve((path) =>
    path.endsWith('/sum_transactions')
      ? Response.json({ code: 'PT503', message: 'Ocupado', details: null, hint: null }, { status: 503 })
      : undefined,
  )
  renderWithToasts(
    <AddressProvider>
      <BudgetCard userId="u" now={now} className="" />
    </AddressProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Editar presupuesto mensual' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Límite mensual' }), '100')
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))

  await screen.findByText('Presupuesto actualizado')
  expect(screen.queryByText(/Te quedan/)).toBeNull()
})

test.each([
  ['below 90 % of the limit', 89.99, ''],
  ['from 90 % of the limit', 90, 'Estás cerca del límite de este mes.'],
  ['at the limit', 100, 'Llegaste al límite de este mes.'],
  ['above the limit', 100.01, 'Te pasaste por $0.01.'],
])('%s the bar has its own colour and sentence', async (_, spent, sentence) => {
  show(100, spent)
  await screen.findByText('En qué se fue')

  const bar = screen.getByRole('meter', { name: 'Parte gastada del presupuesto' })
  const warning = spent > 100 ? 'bg-danger' : spent >= 90 ? 'bg-brass' : 'bg-primary'
  expect(bar.firstElementChild?.classList.contains(warning)).toBe(true)
  const next = bar.nextElementSibling
  expect(next?.tagName === 'P' ? next.textContent : '').toBe(sentence)
  expect(screen.queryByText(/^Te quedan/)).toBeNull()
})

function show(limit: number | null, spent = 0) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  const sums = dashboardSumsQuery('u', now)
  client.setQueryData(sums.queryKey, () => ({
    period: { since: '2026-06-01', until: '2026-11-30' },
    balance: 0,
    months: spent === 0 ? [] : [{ month: '2026-11', balance: -spent, sums: [expenseOf(spent)] }],
    days: [],
    coming: { payments: 0, amount: 0, recurs: false },
    monthly_limit: limit,
  }))
  renderPart(
    <AddressProvider>
      <BudgetCard userId="u" now={now} className="" />
    </AddressProvider>,
    client,
  )
}
