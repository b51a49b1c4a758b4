import { QueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { BudgetCard } from './budget-card.tsx'

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

function show(limit: number | null) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  const sums = dashboardSumsQuery('u', now)
  client.setQueryData(sums.queryKey, () => ({
    period: { since: '2026-06-01', until: '2026-11-30' },
    balance: 0,
    months: [],
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
