import { selectionCopy } from './copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { addMonths, firstDay, lastDay, monthOf, startOfPeriod } from '#ui/format/months.ts'
import { hasFilters, isUnfiltered, type Selection } from './selection.ts'
import { rangeInWords } from './words.ts'

export type PeriodName = keyof typeof selectionCopy.periods

type Days = Pick<Selection, 'from' | 'to'>

/** Returns the first and last day of a named period. Every period except `lastMonth` is open-ended. */
export function daysOf(period: PeriodName, now = new Date()): Days {
  const today = dayInBogota(now)
  if (period === 'lastMonth') return daysOfMonth(addMonths(monthOf(today), -1))
  return { from: startOfPeriod(period, today), to: '' }
}

export function daysOfMonth(month: string): Days {
  return { from: firstDay(month), to: lastDay(month) }
}

/** Returns the name of the selected period, or `null` if the selected days are not a named period. */
export function periodNameOf({ from, to }: Selection): PeriodName | null {
  const names = Object.keys(selectionCopy.periods) as PeriodName[]
  return names.find((name) => isSameDays(daysOf(name), { from, to })) ?? null
}

export function isSameDays(one: Days, other: Days): boolean {
  return one.from === other.from && one.to === other.to
}

/** Describes which rows are included in the sums. */
export function sumsInWords(selection: Selection): string {
  const { sumsOfAll, sumsOfShown, periods } = selectionCopy
  if (isUnfiltered(selection)) return sumsOfAll
  const { from, to } = selection
  const isPeriodOnly = selection.search.trim() === '' && !hasFilters({ ...selection, from: '', to: '' })
  if (!isPeriodOnly) return sumsOfShown
  const period = periodNameOf(selection)
  return period === null ? rangeInWords({ ...selection, from, to }).join('') : periods[period]
}
