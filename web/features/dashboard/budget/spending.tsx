import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { monthStart } from '#format/dates.ts'
import { displayedMinor } from '#ledger/amounts.ts'
import { shownCategory } from '#ledger/category-badge.tsx'
import { MoneyText, useAmountsHidden } from '#ledger/money-text.tsx'
import { keptOffline, ledgerKeys, untilRead } from '#ledger/queries.ts'
import { readExpensesSince } from '#ledger/read-transactions.ts'

/** Bars that a glance can compare; what is smaller is drawn as one. */
const barsMax = 4

/** Where the month's money went. Each bar has its name, amount and share beside it, so that none has to be seen. */
export function SpendingBars({ spending }: { spending: MonthSpending }) {
  const { spentMinor, categories } = spending
  const [isHidden] = useAmountsHidden()
  if (spentMinor === 0) return <p className="mt-4 text-sm text-muted">{dashboardCopy.nothingSpent}</p>
  const groups = shownGroups(categories)
  const largestMinor = Math.max(...groups.map((group) => group.spentMinor))
  return (
    <section aria-labelledby="spending-title" className="mt-5 border-t border-line pt-4">
      <h3 id="spending-title" className="text-sm text-muted">
        {dashboardCopy.spendingTitle}
      </h3>
      <ul className="mt-3 grid grid-cols-1 gap-3">
        {groups.map(({ name, spentMinor: groupMinor }) => (
          <li key={name} className="text-sm">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="min-w-[min(5rem,100%)] flex-1 truncate font-medium" title={name}>
                {name}
              </span>
              <MoneyText className="font-medium">{displayedMinor(groupMinor)}</MoneyText>
              {!isHidden && (
                <span className="figures min-w-10 text-right text-muted">
                  {dashboardCopy.share(groupMinor / spentMinor)}
                </span>
              )}
            </p>
            <div aria-hidden="true" className="bar mt-1.5 h-1.5 rounded-full bg-sunken">
              {!isHidden && (
                <div
                  className="h-full min-w-1 rounded-full bg-brass"
                  style={{ width: `${(groupMinor / largestMinor) * 100}%` }}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ShownGroup = { name: string; spentMinor: MinorUnits }

function shownGroups(categories: readonly CategorySpending[]): ShownGroup[] {
  const named = categories.map(({ category, spentMinor }) => ({ name: category, spentMinor }))
  if (named.length <= barsMax) return named
  const rest = named.slice(barsMax - 1)
  const restMinor = rest.reduce((sum, group) => sum + group.spentMinor, 0) as MinorUnits
  return [
    ...named.slice(0, barsMax - 1),
    { name: dashboardCopy.otherCategories(rest.length), spentMinor: restMinor },
  ]
}

type CategorySpending = {
  /** As it is shown: expenses without one are under their type's word. */
  category: string
  spentMinor: MinorUnits
}

/** What was spent in a month, in minor units: all of it, and by category, the largest first. */
type MonthSpending = { spentMinor: MinorUnits; categories: readonly CategorySpending[] }

export function monthSpendingQuery(userId: string, now: Date) {
  const since = monthStart(now)
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...ledgerKeys.summary(userId), 'spending', since],
    queryFn: async ({ signal }) => sumByCategory(await readExpensesSince({ userId, signal }, since)),
  })
}

/** Adds expenses up; equal sums stand in the alphabet's order, so that two readings look the same. */
export function sumByCategory(
  expenses: readonly { amount: number; category: string | null }[],
): MonthSpending {
  const sums = new Map<string, number>()
  let total = 0
  for (const { amount, category } of expenses) {
    const minor = minorFromDecimal(amount) ?? 0
    total += minor
    const shown = shownCategory({ type: 'expense', category })
    sums.set(shown, (sums.get(shown) ?? 0) + minor)
  }
  const categories = [...sums]
    .map(([category, minor]) => ({ category, spentMinor: minor as MinorUnits }))
    .sort(
      (one, other) => other.spentMinor - one.spentMinor || one.category.localeCompare(other.category, 'es'),
    )
  return { spentMinor: total as MinorUnits, categories }
}
