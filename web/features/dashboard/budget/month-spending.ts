import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { monthStart } from '#format/dates.ts'
import { shownCategory } from '#ledger/category-badge.tsx'
import { ledgerKeys, untilRead } from '#ledger/queries.ts'
import { readExpensesSince } from '#ledger/read-transactions.ts'

export type CategorySpending = {
  /** As it is shown: expenses without one are under their type's word. */
  category: string
  spentMinor: MinorUnits
}

/** What was spent in a month, in minor units: all of it, and by category, the largest first. */
export type MonthSpending = { spentMinor: MinorUnits; categories: readonly CategorySpending[] }

export function monthSpendingQuery(userId: string, now: Date) {
  const since = monthStart(now)
  return queryOptions({
    ...untilRead,
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
