/** Parses dates in the formats that banks use. */
import { fold } from '#format/text.ts'

/** The order of day and month in dates such as `03/04/2026`. */
export type DayOrder = 'day-first' | 'month-first'

const numeric = /^(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ']\s*(\d{4}|\d{2})(?!\d)/
const yearFirst = /^(\d{4})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{1,2})(?!\d)/
const compact = /^(\d{4})(\d{2})(\d{2})(?:\d{4,}|\D|$)/
const named =
  /^(?:\p{L}+,?\s+)?(\d{1,2})(?:\s+de\s+|[-/. ]*)(\p{L}{3,})\.?(?:\s+del?\s+|[-/., ]*)(\d{4}|\d{2})(?!\d)/u
const nameFirst = /^(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/u

/** The first letters of Spanish and English month names. */
const monthNames: readonly (readonly string[])[] = [
  ['ene', 'jan'],
  ['feb'],
  ['mar'],
  ['abr', 'apr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dic', 'dec'],
]

/** Returns a date in the form `2026-11-20`, or `null` if the date is invalid. Ignores a time that follows the date. */
export function readDay(text: string, order: DayOrder): string | null {
  const written = text.trim()
  const [, first = '', second = '', shortYear = ''] = numeric.exec(written) ?? []
  if (first !== '') {
    const [day, month] = order === 'day-first' ? [first, second] : [second, first]
    return isoDay(shortYear, month, day)
  }
  const [, year = '', month = '', day = ''] = yearFirst.exec(written) ?? compact.exec(written) ?? []
  if (year !== '') return isoDay(year, month, day)
  const folded = fold(written)
  const [, dayBefore = '', name = '', yearAfter = ''] = named.exec(folded) ?? []
  if (name !== '') return isoDay(yearAfter, monthOf(name), dayBefore)
  const [, nameBefore = '', dayAfter = '', lastYear = ''] = nameFirst.exec(folded) ?? []
  return nameBefore === '' ? null : isoDay(lastYear, monthOf(nameBefore), dayAfter)
}

/**
 * Returns the order in which more of the dates are valid. In a tie, returns the order that is customary in Colombia.
 */
export function guessDayOrder(texts: readonly string[]): DayOrder {
  const readable = (order: DayOrder) => texts.filter((text) => readDay(text, order) !== null).length
  return readable('month-first') > readable('day-first') ? 'month-first' : 'day-first'
}

/**
 * Returns whether the order is ambiguous: every date is valid in both orders, and at least one date means different
 * days in the two orders.
 */
export function isDayOrderOpen(texts: readonly string[]): boolean {
  const both = texts.map((text) => [readDay(text, 'day-first'), readDay(text, 'month-first')] as const)
  return (
    both.some(([one, other]) => one !== other) && both.every(([one, other]) => one !== null && other !== null)
  )
}

function monthOf(name: string): string {
  const index = monthNames.findIndex((names) => names.some((beginning) => name.startsWith(beginning)))
  return index === -1 ? '' : String(index + 1)
}

function isoDay(year: string, month: string, day: string): string | null {
  const full = year.length === 2 ? `20${year}` : year
  const iso = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso) ? iso : null
}
