import { dayInBogota } from '#ui/format/dates.ts'
import { formatMonthAndYear, monthOf, monthsBetween } from '#ui/format/months.ts'

/**
 * Returns the months for which a statement exists, starting with the current month. `openedAt` is the time at which the
 * account was opened.
 */
export function statementMonths(openedAt: string, now = new Date()): string[] {
  return monthsBetween(monthOf(dayInBogota(new Date(openedAt))), monthOf(dayInBogota(now))).toReversed()
}

/** Returns the URL of a month's statement, and the month's name as it appears in a sentence: `noviembre de 2026`. */
export function statementLink(month: string): { readonly to: string; readonly name: string } {
  return { to: `/extractos?mes=${month}`, name: formatMonthAndYear(month) }
}
