import type { MinorUnits } from '@finanzas/contract/money.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { monthOf } from '#format/months.ts'
import { sumByCategory, type CategorySum } from '#ledger/sums/categories.ts'
import { CategoryList } from '#ledger/sums/category-list.tsx'
import { sumOf } from '#ledger/sums/month-totals.ts'
import type { Period, Sums } from '#ledger/sums/sums.ts'

/** Lines that a glance can compare, and one for the bank's charges. */
const linesMax = 4

/** Where the month's money went. */
export function Spending({ spending, period }: { spending: MonthSpending; period: Period }) {
  if (spending.spentMinor === 0)
    return <p className="mt-4 text-sm text-muted">{dashboardCopy.nothingSpent}</p>
  return (
    <section aria-labelledby="spending-title" className="mt-5 border-t border-line pt-4">
      <h3 id="spending-title" className="mb-1.5 text-sm text-muted">
        {dashboardCopy.spendingTitle}
      </h3>
      <CategoryList categories={spending.categories} period={period} most={linesMax} />
    </section>
  )
}

/** What was spent in a month: all of it, and by category. */
type MonthSpending = { spentMinor: MinorUnits; categories: readonly CategorySum[] }

export function spendingOf({ months }: Sums, { since }: Period): MonthSpending {
  const parts = months.find(({ month }) => month === monthOf(since))?.parts ?? []
  const expenses = parts.filter(({ type }) => type !== 'deposit')
  return { spentMinor: sumOf(expenses), categories: sumByCategory(expenses) }
}
