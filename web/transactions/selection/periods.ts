import { selectionCopy } from './copy.ts'
import { dayInBogota } from '#format/dates.ts'
import { startOfPeriod } from '#format/months.ts'
import { hasFilters, isUnfiltered, type Selection } from './selection.ts'
import { rangeInWords } from './words.ts'

export type PeriodName = keyof typeof selectionCopy.periods

/** Returns the first day of a period that ends now, in the format of a date field. */
export function startOf(period: PeriodName, now = new Date()): string {
  return startOfPeriod(period, dayInBogota(now))
}

/** Returns the name of the selected period, or `null` if it has no name. */
export function periodNameOf({ from, to }: Selection): PeriodName | null {
  if (from === '' || to !== '') return null
  const names = Object.keys(selectionCopy.periods) as PeriodName[]
  return names.find((name) => startOf(name) === from) ?? null
}

/** Describes the rows that the sums cover. */
export function sumsInWords(selection: Selection): string {
  const { sumsOfAll, sumsOfShown, periods } = selectionCopy
  if (isUnfiltered(selection)) return sumsOfAll
  const { from, to } = selection
  const isPeriodOnly = selection.search.trim() === '' && !hasFilters({ ...selection, from: '', to: '' })
  if (!isPeriodOnly) return sumsOfShown
  const period = periodNameOf(selection)
  return period === null ? rangeInWords({ ...selection, from, to }).join('') : periods[period]
}
