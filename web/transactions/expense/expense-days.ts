import { bogotaDay, dayInBogota, isoDay } from '#format/dates.ts'
import { expenseCopy as copy } from './copy.ts'

/**
 * Returns the first and last day that an expense may have, in the format of a date field. The bank accepts only some
 * hours of the day ten years ago (`private.post_added_transactions`, `private.sum_import`), so the first whole day is
 * the day after it.
 */
export function expenseDays(now = new Date()): { first: string; last: string } {
  const last = dayInBogota(now)
  // Computed in UTC like the database: in Bogotá it may still be the evening before, in another month.
  const tenYearsAgo = new Date(now).setUTCFullYear(now.getUTCFullYear() - 10)
  return { first: isoDay(bogotaDay(new Date(tenYearsAgo)) + 1), last }
}

export function dateErrors(day: string): { date?: string } {
  if (day === '') return { date: copy.missingDate }
  const { first, last } = expenseDays()
  return day < first || day > last ? { date: copy.farDate } : {}
}
