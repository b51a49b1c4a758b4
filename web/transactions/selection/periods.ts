import { selectionCopy } from './copy.ts'
import { dayInBogota } from '#format/dates.ts'
import { hasFilters, isUnfiltered, type Selection } from './selection.ts'
import { rangeInWords } from './words.ts'

export type PeriodName = keyof typeof selectionCopy.periods

/** The first day of a period that lasts until now, as a date field writes it. */
export function startOf(period: PeriodName, now = new Date()): string {
  const [year = '', month = '', day = ''] = dayInBogota(now).split('-')
  if (period === 'month') return `${year}-${month}-01`
  const [years, months] = period === 'year' ? [1, 0] : [0, 3]
  // A day that the month of then does not have is the first one after it.
  const start = new Date(Date.UTC(Number(year) - years, Number(month) - 1 - months, Number(day)))
  return start.toISOString().slice(0, 10)
}

/** The period that is selected, where it is one of those with a name. */
export function periodOf({ from, to }: Selection): PeriodName | null {
  if (from === '' || to !== '') return null
  const names = Object.keys(selectionCopy.periods) as PeriodName[]
  return names.find((name) => startOf(name) === from) ?? null
}

/** Of which rows the sums are. */
export function sumsInWords(selection: Selection): string {
  const { sumsOfAll, sumsOfShown, periods } = selectionCopy
  if (isUnfiltered(selection)) return sumsOfAll
  const { from, to } = selection
  const isPeriodOnly = selection.search.trim() === '' && !hasFilters({ ...selection, from: '', to: '' })
  if (!isPeriodOnly) return sumsOfShown
  const period = periodOf(selection)
  return period === null ? rangeInWords({ ...selection, from, to }).join('') : periods[period]
}
