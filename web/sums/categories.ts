import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { shownCategory } from '#categorization/category-badge.tsx'
import { categorizationCopy } from '#categorization/copy.ts'
import { sumOf } from '#money/amounts.ts'
import type { Part } from './sums.ts'

/** The sum of one category. */
export type CategorySum = {
  /** The name that the page shows. */
  name: string
  /** The name by which the history filters. */
  category: string
  /** Expenses that the bank booked under no category of its own: they never stand before the customer's. */
  isBankCharge: boolean
  amountMinor: MinorUnits
  transactions: number
}

/** The parts of one type by category, the largest first, the bank's own charges last; equal sums in the alphabet's order. */
export function sumByCategory(parts: readonly Part[]): CategorySum[] {
  const sums = new Map<string, CategorySum>()
  for (const part of parts) {
    const category = shownCategory(part)
    const isBankCharge =
      part.type === 'expense' && part.recordedBy === 'bank' && category === administratorExpenseCategory
    const key = `${isBankCharge} ${category}`
    const sum = sums.get(key)
    sums.set(key, {
      name: nameOf(category, isBankCharge),
      category,
      isBankCharge,
      amountMinor: ((sum?.amountMinor ?? 0) + part.amountMinor) as MinorUnits,
      transactions: (sum?.transactions ?? 0) + part.transactions,
    })
  }
  return [...sums.values()].sort(
    (one, other) =>
      Number(one.isBankCharge) - Number(other.isBankCharge) ||
      other.amountMinor - one.amountMinor ||
      one.name.localeCompare(other.name, 'es'),
  )
}

/** An expense without a category is stored under the bank's own word for an expense. */
function nameOf(category: string, isBankCharge: boolean): string {
  if (isBankCharge) return categorizationCopy.bankCharges
  return category === administratorExpenseCategory ? categorizationCopy.noCategory : category
}

/** A line of a short list; without a category it stands for several. */
type Line = { name: string; category: string | null; amountMinor: MinorUnits }

/** At most so many lines of the customer's own categories, the smallest as one, and the bank's charges after them. */
export function foldSmallest(categories: readonly CategorySum[], most: number): Line[] {
  const own = categories.filter(({ isBankCharge }) => !isBankCharge)
  const charges = categories.filter(({ isBankCharge }) => isBankCharge)
  if (own.length <= most) return [...own, ...charges]
  const smallest = own.slice(most - 1)
  const amountMinor = sumOf(smallest)
  return [
    ...own.slice(0, most - 1),
    { name: categorizationCopy.otherCategories(smallest.length), category: null, amountMinor },
    ...charges,
  ]
}
