/** Which expenses of a file the customer has already. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { bogotaDay, isoDay } from '#format/dates.ts'
import { fold } from '#format/text.ts'
import type { Movement } from './read/lines.ts'

type Known = Pick<Transaction, 'type' | 'date' | 'amount' | 'description'>

/**
 * By content and occurrence: of two equal coffees on a day the second is there already only if two are. What else a day
 * has is not asked: a file may begin or end within it.
 */
export function splitKnown(
  expenses: readonly Movement[],
  rows: Iterable<Known>,
): { fresh: Movement[]; known: Movement[] } {
  const left = countContents(rows)
  const split = { fresh: [] as Movement[], known: [] as Movement[] }
  for (const expense of expenses) {
    const content = contentOf(expense.day, expense.amountMinor, expense.description)
    const count = left.get(content) ?? 0
    if (count > 0) left.set(content, count - 1)
    ;(count > 0 ? split.known : split.fresh).push(expense)
  }
  return split
}

function countContents(rows: Iterable<Known>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { type, date, amount, description } of rows) {
    const minor = minorFromDecimal(amount)
    const day = bogotaDay(date)
    if (type !== 'expense' || minor === null || Number.isNaN(day)) continue
    const content = contentOf(isoDay(day), minor, description)
    counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return counts
}

/** Capitals, accents and blanks are written otherwise from one download to the next. */
function contentOf(day: string, amountMinor: number, description: string): string {
  return `${day} ${amountMinor} ${fold(description).replace(/[^\p{L}\p{N}]+/gu, '')}`
}
