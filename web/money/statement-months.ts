import { dayInBogota } from '#format/dates.ts'
import { formatMonthAndYear, monthOf, monthsBetween } from '#format/months.ts'

/** Returns the months that have a statement, the present one first. `openedAt` is the time when the account was opened. */
export function statementMonths(openedAt: string, now = new Date()): string[] {
  return monthsBetween(monthOf(dayInBogota(new Date(openedAt))), monthOf(dayInBogota(now))).toReversed()
}

/** The address of a month's statement, and its name in a sentence: `noviembre de 2026`. */
export function statementLink(month: string): { readonly to: string; readonly name: string } {
  return { to: `/extractos?mes=${month}`, name: formatMonthAndYear(month) }
}
