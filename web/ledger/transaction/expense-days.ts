import { bogotaDay, dayInBogota, isoDay } from '#format/dates.ts'

/**
 * The days that an expense may have, as a date field writes them. Of the day ten years back the bank takes some hours
 * only (`private.post_added_transactions`, `private.refuse_import`): the day after is the first that it takes whole.
 */
export function expenseDays(now = new Date()): { first: string; last: string } {
  const tenYearsAgo = new Date(now)
  // In UTC, as the database counts: in Bogotá it may still be the evening before, in another month.
  tenYearsAgo.setUTCFullYear(now.getUTCFullYear() - 10)
  return { first: isoDay(bogotaDay(tenYearsAgo) + 1), last: dayInBogota(now) }
}
