import { bogotaDay, dayInBogota, isoDay } from '#ui/format/dates.ts'
import { expenseCopy as copy } from './copy.ts'

/**
 * Returns the first and last valid day of an expense, in the format of a date field. The bank accepts dates up to
 * exactly ten years ago (`private.post_added_transactions`, `private.refuse_import`). The first day on which every time is
 * accepted is therefore the following day.
 */
export function expenseDays(now = new Date()): { first: string; last: string } {
  const last = dayInBogota(now)
  // The ten years are subtracted in UTC, like in the database, because the date in Bogotá may still be the previous
  // day.
  const tenYearsAgo = new Date(now).setUTCFullYear(now.getUTCFullYear() - 10)
  return { first: isoDay(bogotaDay(new Date(tenYearsAgo)) + 1), last }
}

export function dateErrors(day: string): { date?: string } {
  if (day === '') return { date: copy.missingDate }
  const { first, last } = expenseDays()
  return day < first || day > last ? { date: copy.farDate } : {}
}
