/** Judges the days of a whole file: the order of day and month, the year and the time zone. */
import { fold } from '#ui/format/text.ts'
import { shareOf } from '#uploads/columns.ts'
import {
  isoDayOf,
  parseDay,
  readSerialDay,
  readZone,
  type DayOrder,
  type WrittenDay,
} from '#uploads/import/read/days.ts'
import { dayNumber, judgeOrder, spanOf } from './day-order.ts'
import { fitOf, headings, type BankTable } from './headings.ts'
import { statedPeriod, yearPeriod, type Period } from './period.ts'
import { daysOf, sampleOf, textsOf } from './values.ts'

export type FileDays = {
  /** The day of each row in the form `2026-11-20`, or `null`. */
  readonly days: readonly (string | null)[]
  readonly order: DayOrder
  /** Whether only the user knows the order, because the file does not show it or contradicts itself. */
  readonly isOrderOpen: boolean
  /** Two dates that show why the order is open. */
  readonly orderExamples: readonly string[]
  /** The years among which the user must choose. Empty if the dates or the file contain the year. */
  readonly yearChoices: readonly string[]
}

type Circumstances = {
  readonly place: number | null
  /** The last day that a transaction may have. */
  readonly last: string
  /** The order that the format states. */
  readonly stated: DayOrder | undefined
  /** The user's answers. */
  readonly order: DayOrder | undefined
  readonly year: string | undefined
}

export function judgeDays(
  table: BankTable,
  { place, last, stated: statedOrder, order: answeredOrder, year: answered }: Circumstances,
): FileDays {
  const known = answeredOrder ?? statedOrder
  const serial = serialDaysOf(table, place)
  if (serial !== null)
    return {
      days: serial,
      order: known ?? 'day-first',
      isOrderOpen: false,
      orderExamples: [],
      yearChoices: [],
    }
  const written = withYearsFirst(zonedDaysOf(table, place), { last, known })
  const present = written.filter((day) => day !== null)
  // Many banks write midnight for a day without a time, in whatever zone.
  const isZoned = present.some((day) => day.zoned !== null && !day.zoned.isMidnight)
  const isYearless =
    present.length > 0 && present.filter(({ year }) => year === '').length > present.length / 2
  const others = otherDaysOf(table, place)
  const stated = statedPeriod(table.above)
  const years = isYearless ? yearsOf(written, { stated, others, last, answered }) : noYears
  const read = (order: DayOrder) => (day: WrittenDay) =>
    day.year === '' ? years.read(day, order) : isoDayOf(day, { order, isZoned })
  const readers = {
    'day-first': remembering(read('day-first')),
    'month-first': remembering(read('month-first')),
  }
  const readIn = (order: DayOrder) => readers[order]
  // After the answer, the question stays on screen, so that it can be changed.
  const { order, isOpen, examples } =
    statedOrder === undefined
      ? judgeOrder(written, { read: readIn, others, period: stated, last })
      : { order: statedOrder, isOpen: false, examples: [] }
  return {
    days: written.map(readIn(known ?? order)),
    order: known ?? order,
    isOrderOpen: isOpen,
    orderExamples: examples.map((row) => textsOf(table, place)[row] ?? ''),
    yearChoices: years.choices,
  }
}

/** Returns a function that reads each day only once, because the order is judged by several readings of each row. */
function remembering(read: (day: WrittenDay) => string | null): (day: WrittenDay | null) => string | null {
  const known = new Map<WrittenDay, string | null>()
  return (day) => {
    if (day === null) return null
    let text = known.get(day)
    if (text === undefined) known.set(day, (text = read(day)))
    return text
  }
}

/** Number of years before the last day that a file may contain. The bank accepts no older expense. */
const yearsBack = 10

/**
 * Reads days such as `26/11/03` with the year first if no other order gives all rows a day of the last ten years. The
 * year is also first if the other orders spread the rows over more than half a year, and three times as long.
 */
function withYearsFirst(
  written: readonly (WrittenDay | null)[],
  { last, known }: { last: string; known: DayOrder | undefined },
): readonly (WrittenDay | null)[] {
  const short = written.filter((day) => day !== null)
  const isShort = (day: WrittenDay) => !day.isOrdered && day.year.length === 2 && day.parts[0].length === 2
  if (known !== undefined || short.length === 0 || !short.every(isShort)) return written
  const first = `${Number(last.slice(0, 4)) - yearsBack}${last.slice(4)}`
  const turned = (day: WrittenDay): WrittenDay => {
    const [year, month] = day.parts
    return { ...day, year, parts: [month, day.year], isOrdered: true }
  }
  const within = (read: (day: WrittenDay) => string | null) => {
    const days = short.flatMap((day) => read(day) ?? [])
    return days.length === short.length && days.every((day) => day >= first && day <= last) ? days : null
  }
  const own = within((day) => isoDayOf(turned(day), { order: 'day-first' }))
  if (own === null) return written
  const others = (['day-first', 'month-first'] as const).map((order) =>
    within((day) => isoDayOf(day, { order })),
  )
  const isSpread = (days: readonly string[] | null) =>
    days === null || (spanOf(days) > halfYear && spanOf(days) > 3 * spanOf(own))
  return others.every(isSpread) ? written.map((day) => (day === null ? null : turned(day))) : written
}

/** The other columns of whole days, such as the value day. */
function otherDaysOf(table: BankTable, place: number | null): (readonly (WrittenDay | null)[])[] {
  if (table.stated.fields !== null) return []
  return [...table.columns.keys()]
    .filter((other) => other !== place && shareOf(sampleOf(table, other), isWholeDay) > 0.8)
    .map((other) => daysOf(table, other))
}

function isWholeDay(text: string): boolean {
  const day = parseDay(text)
  return day !== null && day.year !== '' && !/^\d+$/.test(text)
}

type Years = {
  readonly choices: readonly string[]
  readonly read: (day: WrittenDay, order: DayOrder) => string | null
}

const noYears: Years = { choices: [], read: () => null }

/** Gives days their years: by a whole day in the same row, by the stated period, or by the user's answer. */
function yearsOf(
  written: readonly (WrittenDay | null)[],
  {
    stated,
    others,
    last,
    answered,
  }: {
    stated: Period | null
    others: readonly (readonly (WrittenDay | null)[])[]
    last: string
    answered: string | undefined
  },
): Years {
  const beside = new Map<WrittenDay, WrittenDay>()
  for (const [row, day] of written.entries()) {
    const other = others[0]?.[row] ?? null
    if (day !== null && other !== null) beside.set(day, other)
  }
  const current = last.slice(0, 4)
  const isCrossing = crossingOf(written) !== null
  const isStated = stated !== null && !(stated.isYear && isCrossing && !stated.last.startsWith(current))
  const isAsked = beside.size === 0 && !isStated
  const period =
    answered !== undefined && isAsked ? yearPeriod(answered) : isStated ? stated : yearPeriod(current)
  const earlier = period.isYear ? earlierDays(written) : new Set<WrittenDay>()
  const read = (day: WrittenDay, order: DayOrder) => {
    const other = beside.get(day)
    const own = other === undefined ? null : isoDayOf(other, { order })
    if (own !== null) return nearestDay(day, order, { period: { first: own, last: own }, last })
    const year = Number(period.last.slice(0, 4)) - (earlier.has(day) ? 1 : 0)
    return nearestDay(day, order, { period: period.isYear ? yearPeriod(String(year)) : period, last })
  }
  const recent = [0, 1, 2].map((ago) => String(Number(current) - ago))
  return { choices: isAsked ? recent : [], read }
}

/** Returns the day nearest to the period that is not in the future. */
function nearestDay(
  day: WrittenDay,
  order: DayOrder,
  { period, last }: { period: Period; last: string },
): string | null {
  const end = Number(period.last.slice(0, 4))
  const days = [end - 1, end, end + 1].flatMap((year) => isoDayOf(day, { order, year: String(year) }) ?? [])
  const possible = days.filter((each) => each <= last)
  const distance = (each: string) =>
    Math.max(dayNumber(period.first) - dayNumber(each), dayNumber(each) - dayNumber(period.last), 0)
  return (
    (possible.length > 0 ? possible : days).sort((one, other) => distance(one) - distance(other))[0] ?? null
  )
}

/** Number of days between two rows that show a new year between them. */
const halfYear = 183

/**
 * Returns the only place at which the days without years cross the new year, and whether the days rise. A long step in the
 * direction of the other rows is a gap within a year.
 */
function crossingOf(written: readonly (WrittenDay | null)[]): { row: number; isRising: boolean } | null {
  const days = written.map((day) =>
    day === null ? null : isoDayOf(day, { order: 'day-first', year: '2024' }),
  )
  let rises = 0
  const crossings: { row: number; isRising: boolean }[] = []
  for (const [row, day] of days.entries()) {
    const before = days[row - 1] ?? null
    const step = day === null || before === null ? 0 : dayNumber(day) - dayNumber(before)
    if (Math.abs(step) > halfYear) crossings.push({ row, isRising: step < 0 })
    else rises += Math.sign(step)
  }
  const [crossing] = crossings
  if (crossing === undefined || crossings.length > 1) return null
  return rises !== 0 && crossing.isRising !== rises > 0 ? null : crossing
}

/** Returns the days that belong to the year before, because the rows cross the new year. */
function earlierDays(written: readonly (WrittenDay | null)[]): Set<WrittenDay> {
  const crossing = crossingOf(written)
  if (crossing === null) return new Set()
  const { row, isRising } = crossing
  const earlier = isRising ? written.slice(0, row) : written.slice(row)
  return new Set(earlier.filter((day) => day !== null))
}

const timeWords = ['hora', 'time', 'heure', 'uhrzeit']
const zoneWords = /time ?zone|timezone|zona|huso|fuso|zeitzone/

/** Returns the written days, with the time and the zone that stand in the heading or in columns of their own. */
function zonedDaysOf(table: BankTable, place: number | null): readonly (WrittenDay | null)[] {
  const written = daysOf(table, place)
  if (
    place === null ||
    table.stated.fields !== null ||
    written.some((day) => day !== null && day.zoned !== null)
  )
    return written
  const named = table.columns.map((heading) => fold(heading))
  const zones = textsOf(
    table,
    firstPlace(named, (name) => zoneWords.test(name)),
  )
  const times = textsOf(
    table,
    firstPlace(
      named,
      (name) => fitOf(name, timeWords) > 0 && !zoneWords.test(name) && fitOf(name, headings.date) === 0,
    ),
  )
  const ofHeading = zoneInHeading(table.columns[place] ?? '')
  if (zones.length === 0 && ofHeading === '') return written
  return textsOf(table, place).map((text, row) => {
    const zone = zones[row] || ofHeading
    const day = /\d:\d{2}/.test(text) ? text : `${text} ${times[row] ?? ''}`
    return parseDay(readZone(zone) === null ? text : `${day} ${zone}`)
  })
}

function firstPlace(names: readonly string[], fits: (name: string) => boolean): number | null {
  const place = names.findIndex(fits)
  return place === -1 ? null : place
}

/** Returns the zone in a heading such as `Date (UTC)`, or an empty string. */
function zoneInHeading(heading: string): string {
  const words =
    heading.match(/(?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::?\d{2})?)?|(?<![\p{L}\d])[A-Z]{3,4}(?!\p{L})/gu) ?? []
  return words.find((word) => readZone(word) !== null)?.replace(' ', '') ?? ''
}

/** Returns the days of a column with Excel's day numbers, or `null` for any other column. */
function serialDaysOf(table: BankTable, place: number | null): (string | null)[] | null {
  const texts = textsOf(table, place)
  const serial = texts.map(readSerialDay)
  const count = serial.filter((day) => day !== null).length
  return count > 0 && count > texts.filter((text) => text !== '').length / 2 ? serial : null
}
