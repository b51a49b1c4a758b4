import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { shownCategory } from '#categories/category-badge.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { sumOf } from '#amounts/amounts.ts'
import type { Part } from './sums.ts'

export type CategorySum = {
  /** Displayed name. */
  name: string
  /** Name that the history page uses as a filter. */
  category: string
  /** Whether the sum consists of bank charges: expenses that the bank recorded without a category. */
  isBankCharge: boolean
  amountMinor: MinorUnits
  transactions: number
}

/**
 * Adds up the amounts of each category. All parts must have the same type. The result is sorted by amount, starting
 * with the largest; equal amounts are in alphabetical order.
 */
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
    (one, other) => other.amountMinor - one.amountMinor || one.name.localeCompare(other.name, 'es'),
  )
}

/**
 * Returns a category's displayed name. Expenses without a category are summed under `Gasto`, the category that the bank
 * also uses for its charges.
 */
function nameOf(category: string, isBankCharge: boolean): string {
  if (isBankCharge) return categorizationCopy.bankCharges
  return category === administratorExpenseCategory ? categorizationCopy.noCategory : category
}

/** A line in a shortened list. If `category` is `null`, the line combines several categories. */
type Line = { name: string; category: string | null; amountMinor: MinorUnits }

/**
 * Returns one line for each category. If the customer has more than `most` categories, the smallest categories are
 * combined in the last line. Bank charges always have their own line, sorted by size like the other lines.
 */
export function foldSmallest(categories: readonly CategorySum[], most: number): Line[] {
  const own = categories.filter(({ isBankCharge }) => !isBankCharge)
  if (own.length <= most) return [...categories]
  const smallest = own.slice(most - 1)
  return [
    ...categories.filter((each) => !smallest.includes(each)),
    {
      name: categorizationCopy.otherCategories(smallest.length),
      category: null,
      amountMinor: sumOf(smallest),
    },
  ]
}
