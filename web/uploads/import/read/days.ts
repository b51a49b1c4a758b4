/** Parses dates in the formats that banks use. */
import { fold } from '#ui/format/text.ts'

/** The order of day and month in dates such as `03/04/2026`. */
export type DayOrder = 'day-first' | 'month-first'

/** A time of day in minutes. The zone is its distance to UTC in minutes, or its name, such as `America/Bogota`. */
type ZonedTime = { readonly minutes: number; readonly zone: number | string; readonly isMidnight: boolean }

/** The parts of a written date. */
export type WrittenDay = {
  /** Empty if the date does not contain a year. */
  readonly year: string
  /** Month and day, or two numbers whose order the text does not show. */
  readonly parts: readonly [string, string]
  readonly isOrdered: boolean
  /** The time of day and its zone, or `null` if no time zone is written. */
  readonly zoned: ZonedTime | null
}

const numeric = /^(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ']\s*(\d{4}|\d{2})(?!\d)/
const yearFirst = /^(\d{4})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{1,2})(?!\d)/
const compact = /^(\d{4})(\d{2})(\d{2})(?:\d{4,}|\D|$)/
const named =
  /^(?:\p{L}+\.?,?\s+)?(\d{1,2})(?:\s+de\s+|[-/. ]*)(\p{L}{3,})\.?(?:\s+del?\s+|[-/., ]*)(\d{4}|\d{2})(?!\d)/u
const nameFirst = /^(?:\p{L}+\.?,?\s+)?(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/u
const nameInside = /^(\d{4})[-/. ](\p{L}{3,})\.?[-/. ](\d{1,2})(?!\d)/u
const yearless = /^(\d{1,2})\s*[-/.]\s*(\d{1,2})\.?$/
const yearlessNamed = /^(\d{1,2})(?:\s+de\s+|[-/. ]*)(\p{L}{3,})\.?$/u
const yearlessNameFirst = /^(\p{L}{3,})\.?[-/. ]*(\d{1,2})$/u
const time =
  /(?:^\d{8}T?|T|[\s,](?=\d{1,2}:\d{2}|\d{4,6}Z))(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\.?(?!\p{L}))?\s*(.*)$/iu
const zone =
  /^\[?(?:(Z|UTC|GMT)(?![+-]?\d)|(?:UTC|GMT)?([+-]|(?<=\[))(\d{1,2})(?::?([0-5]\d))?(?=$|[\s:.\]])|([A-Z]{3,4})(?![\p{L}]))/iu

/** Distances to UTC in hours of the named time zones that occur in files. */
const namedZones: Readonly<Record<string, number>> = {
  COT: -5,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  BRT: -3,
  ART: -3,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
}

/** The first letters of month names in Spanish, English, German and Portuguese. */
const monthNames: readonly (readonly string[])[] = [
  ['ene', 'jan'],
  ['feb', 'fev'],
  ['mar', 'mrz'],
  ['abr', 'apr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct', 'okt', 'out'],
  ['nov'],
  ['dic', 'dec', 'dez'],
]

/** Parses a date. Returns `null` for any other text. The parts may still be an impossible day. */
export function parseDay(text: string): WrittenDay | null {
  const written = text.trim()
  if (!/\d/.test(written)) return null
  const zoned = zoneOf(written)
  const ordered = (year = '', month = '', day = '') =>
    month === '' ? null : ({ year, parts: [month, day], isOrdered: true, zoned } as const)
  const [, first = '', second = '', year = ''] = numeric.exec(written) ?? yearless.exec(written) ?? []
  if (first !== '') return { year, parts: [first, second], isOrdered: false, zoned }
  const digits = yearFirst.exec(written) ?? compact.exec(written)
  if (digits !== null) return ordered(digits[1], digits[2], digits[3])
  if (!/\p{L}{3}/u.test(written)) return null
  const folded = fold(written)
  const dayBefore = named.exec(folded) ?? yearlessNamed.exec(folded)
  if (dayBefore !== null) return ordered(dayBefore[3], parseMonth(dayBefore[2]), dayBefore[1])
  const dayAfter = nameFirst.exec(folded) ?? yearlessNameFirst.exec(folded)
  if (dayAfter !== null) return ordered(dayAfter[3], parseMonth(dayAfter[1]), dayAfter[2])
  const inside = nameInside.exec(folded)
  return inside === null ? null : ordered(inside[1], parseMonth(inside[2]), inside[3])
}

/** Distance between UTC and Bogotá in minutes. Colombia does not change its clocks. */
const bogotaOffset = -300

/**
 * Returns a date in the form `2026-11-20`, or `null` if the day does not exist. A time with a written zone is converted
 * to the day in Bogotá.
 */
export function isoDayOf(
  written: WrittenDay,
  { order, year, isZoned = true }: { order: DayOrder; year?: string; isZoned?: boolean },
): string | null {
  const [one, other] = written.parts
  const [month, day] = written.isOrdered || order === 'month-first' ? [one, other] : [other, one]
  const iso = validDay(written.year || (year ?? ''), month, day)
  if (iso === null || !isZoned || written.zoned === null) return iso
  const local = Date.parse(`${iso}T00:00:00Z`) + written.zoned.minutes * 60_000
  const moment = local + (bogotaOffset - offsetOf(written.zoned, local)) * 60_000
  return new Date(moment).toISOString().slice(0, 10)
}

/** Returns a date in the form `2026-11-20`, or `null` if the text is not a complete date. */
export function readDay(text: string, order: DayOrder): string | null {
  const written = parseDay(text)
  return written === null ? null : isoDayOf(written, { order })
}

/** The first and the last day number of Excel that count as a day: 1 January 2000 and 31 December 2059. */
const serialDays = { first: 36_526, last: 58_439 }

/** Returns the date of one of Excel's day numbers, or `null`. */
export function readSerialDay(text: string): string | null {
  const days = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number.parseInt(text, 10) : 0
  if (days < serialDays.first || days > serialDays.last) return null
  return new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10)
}

function zoneOf(written: string): ZonedTime | null {
  if (!/\d:?\d{2}/.test(written)) return null
  const [, hours, minutes, seconds = '0', half = '', rest = ''] = time.exec(written) ?? []
  const zoneOfTime = readZone(rest.trim())
  if (hours === undefined || minutes === undefined || zoneOfTime === null) return null
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return {
    minutes: hour * 60 + Number(minutes),
    zone: zoneOfTime,
    isMidnight: hour + Number(minutes) + Number(seconds) === 0,
  }
}

/** Reads a time zone at the beginning of a text. Returns `null` for any other text. */
export function readZone(text: string): ZonedTime['zone'] | null {
  if (/^\p{Lu}\p{L}+(?:\/[\p{L}_-]+)+$/u.test(text)) return isZoneName(text) ? text : null
  const [, utc, sign, hoursAway, minutesAway = '0', name = ''] = zone.exec(text) ?? []
  const away =
    hoursAway === undefined ? namedZones[name.toUpperCase()] : Number(hoursAway) + Number(minutesAway) / 60
  const distance = utc === undefined ? away : 0
  return distance === undefined ? null : (sign === '-' ? -distance : distance) * 60
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (clock === undefined) {
    const part = 'numeric'
    const parts = { year: part, month: part, day: part, hour: part, minute: part, hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone, ...parts })
    clocks.set(timeZone, clock)
  }
  return clock
}

function isZoneName(name: string): boolean {
  try {
    clockOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Returns the distance to UTC in minutes at a moment whose local time is given as if it were UTC. */
function offsetOf({ zone: named }: ZonedTime, local: number): number {
  if (typeof named === 'number') return named
  const shown = new Map(
    clockOf(named)
      .formatToParts(local)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year, month, day, hour, minute] = (['year', 'month', 'day', 'hour', 'minute'] as const).map(
    (type) => shown.get(type) ?? 0,
  )
  return (Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute) - local) / 60_000
}

/** Returns the number of the month with this name, which is in lower case and without accents, or an empty string. */
export function parseMonth(name = ''): string {
  const index = monthNames.findIndex((names) => names.some((beginning) => name.startsWith(beginning)))
  return index === -1 ? '' : String(index + 1)
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function validDay(year: string, month: string, day: string): string | null {
  const full = Number(year.length === 2 ? `20${year}` : year)
  const [monthNumber, dayNumber] = [Number(month), Number(day)]
  if (!(full >= 1900 && monthNumber >= 1 && monthNumber <= 12 && dayNumber >= 1)) return null
  const isLeap = full % 4 === 0 && (full % 100 !== 0 || full % 400 === 0)
  if (dayNumber > (monthNumber === 2 && isLeap ? 29 : (monthDays[monthNumber - 1] ?? 0))) return null
  return `${full}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`
}
