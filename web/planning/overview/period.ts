import { dayOf, isoDay } from '#ui/format/dates.ts'
import {
  addMonths,
  daysIn,
  earliestDay,
  firstDay,
  lastDay,
  monthOf,
  monthsBetween,
  startOfPeriod,
} from '#ui/format/months.ts'
import type { Period } from '#planning/sums/sums.ts'

export type Preset = 'month' | 'lastMonth' | 'quarter' | 'half' | 'year' | 'calendarYear'

export const presets: readonly Preset[] = ['month', 'lastMonth', 'quarter', 'half', 'year', 'calendarYear']

/** Returns the first and last day of a named period. Every named period except `lastMonth` ends today. */
export function periodOf(preset: Preset, today: string): Period {
  if (preset === 'lastMonth') {
    const before = addMonths(monthOf(today), -1)
    return { since: firstDay(before), until: lastDay(before) }
  }
  if (preset === 'calendarYear') return { since: `${today.slice(0, 4)}-01-01`, until: today }
  return { since: startOfPeriod(preset, today), until: today }
}

/**
 * Returns the previous period of the same length. The length is measured in months if the period begins on the first
 * day of a month, and in days otherwise.
 */
export function periodBefore({ since, until }: Period): Period {
  if (since !== firstDay(monthOf(since))) {
    const days = dayOf(until) - dayOf(since) + 1
    return { since: isoDay(dayOf(since) - days), until: isoDay(dayOf(since) - 1) }
  }
  const months = monthsBetween(monthOf(since), monthOf(until)).length
  const lastMonth = addMonths(monthOf(until), -months)
  const day = `${lastMonth}-${until.slice(8)}`
  const isWhole = until === lastDay(monthOf(until)) || day > lastDay(lastMonth)
  return { since: firstDay(addMonths(monthOf(since), -months)), until: isWhole ? lastDay(lastMonth) : day }
}

/** Reads the period from URL parameters. Returns the current month if the parameters are invalid. */
export function readPeriod(parameters: URLSearchParams, today: string): Period {
  const since = parameters.get('desde') ?? ''
  const until = parameters.get('hasta') ?? ''
  const makesSense = isDay(since) && isDay(until) && since <= until && since >= earliestDay(today)
  return makesSense && until <= lastDay(addMonths(monthOf(today), 1))
    ? { since, until }
    : periodOf('month', today)
}

function isDay(text: string): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(text)) return false
  const day = Number(text.slice(8))
  return day >= 1 && day <= daysIn(monthOf(text))
}

/** Returns the days of a month that fall within the period, and whether the period covers the whole month. */
export function daysWithin(
  month: string,
  { since, until }: Period,
): { from: number; to: number; isWhole: boolean } {
  const from = monthOf(since) === month ? Number(since.slice(8)) : 1
  const to = monthOf(until) === month ? Number(until.slice(8)) : daysIn(month)
  return { from, to, isWhole: from === 1 && to === daysIn(month) }
}
