import { bogotaDay, dayInBogota, isoDay } from '#format/dates.ts'

/**
 * The days that an expense may have, as a date field writes them. The bank accepts only some hours of the day ten years
 * back (`private.post_added_transactions`, `private.sum_import`), so the first whole day is the one after.
 */
export function expenseDays(now = new Date()): { first: string; last: string } {
  const last = dayInBogota(now)
  // In UTC, as the database counts: in Bogotá it may still be the evening before, in another month.
  const tenYearsAgo = new Date(now).setUTCFullYear(now.getUTCFullYear() - 10)
  return { first: isoDay(bogotaDay(new Date(tenYearsAgo)) + 1), last }
}
