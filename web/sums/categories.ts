import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { shownCategory } from '#categorization/category-badge.tsx'
import { categorizationCopy } from '#categorization/copy.ts'
import { sumOf } from '#money/amounts.ts'
import type { Part } from './sums.ts'

/** The sum of one category. */
export type CategorySum = {
  /** Name that the page shows. */
  name: string
  /** Name by which the history filters. */
  category: string
  /** Whether the expenses are charges of the bank without a category. */
  isBankCharge: boolean
  amountMinor: MinorUnits
  transactions: number
}

/** Sums the parts of one type by category, the largest first. Equal sums are in alphabetical order. */
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

/** Returns the name of a category. An expense without a category is stored under the bank's word for an expense. */
function nameOf(category: string, isBankCharge: boolean): string {
  if (isBankCharge) return categorizationCopy.bankCharges
  return category === administratorExpenseCategory ? categorizationCopy.noCategory : category
}

/** A line of a short list. With `category: null` it stands for several categories. */
type Line = { name: string; category: string | null; amountMinor: MinorUnits }

/**
 * Returns the largest categories. If there are more than `most`, the last line has the sum of the smallest. The bank's
 * charges always have their own line, in their place by size.
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
