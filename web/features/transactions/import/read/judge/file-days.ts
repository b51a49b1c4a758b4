/** Judges the days of a whole file: the order of day and month, the year and the time zone. */
import {
  isoDayOf,
  parseDay,
  readSerialDay,
  type DayOrder,
  type WrittenDay,
} from '#features/transactions/import/read/days.ts'
import type { BankTable } from './headings.ts'
import { daysOf, textsOf } from './values.ts'

export type FileDays = {
  /** The day of each row in the form `2026-11-20`, or `null`. */
  readonly days: readonly (string | null)[]
  readonly order: DayOrder
  /** Whether the user must choose the order, because the file does not show it or contradicts itself. */
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
  /** The user's answers, or what the format states. */
  readonly order: DayOrder | undefined
  readonly year: string | undefined
}

const orders = ['day-first', 'month-first'] as const

export function judgeDays(
  table: BankTable,
  { place, last, order: known, year: answered }: Circumstances,
): FileDays {
  const serial = serialDaysOf(table, place)
  if (serial !== null)
    return {
      days: serial,
      order: known ?? 'day-first',
      isOrderOpen: false,
      orderExamples: [],
      yearChoices: [],
    }
  const written = daysOf(table, place)
  const present = written.filter((day) => day !== null)
  // Many banks write midnight for a day without a time, in whatever zone.
  const isZoned = present.some((day) => day.zoned !== null && !day.zoned.isMidnight)
  const isYearless =
    present.length > 0 && present.filter(({ year }) => year === '').length > present.length / 2
  const period = isYearless ? periodOf(table, place, answered ?? null) : null
  const yearChoices = isYearless && periodOf(table, place, null) === null ? recentYears(last) : []
  const end = period ?? last
  const isoIn = (order: DayOrder) => (day: WrittenDay | null) =>
    day === null
      ? null
      : day.year === ''
        ? isYearless
          ? latestBefore(day, order, end)
          : null
        : isoDayOf(day, { order, isZoned })
  const { order, isOpen, examples } =
    known === undefined ? orderOf(written, isoIn, last) : { order: known, isOpen: false, examples: [] }
  return {
    days: written.map(isoIn(order)),
    order,
    isOrderOpen: isOpen,
    orderExamples: examples.map((row) => textsOf(table, place)[row] ?? ''),
    yearChoices,
  }
}

/** Returns the latest day with these parts that is not after the end of the period. */
function latestBefore(day: WrittenDay, order: DayOrder, end: string): string | null {
  const year = Number(end.slice(0, 4))
  for (const each of [year, year - 1, year - 2, year - 3]) {
    const iso = isoDayOf(day, { order, year: String(each) })
    if (iso !== null && iso <= end) return iso
  }
  return null
}

type Reading = (order: DayOrder) => (day: WrittenDay | null) => string | null

/** Decides the order by all rows of the file: by impossible days, by days in the future, and by the period. */
function orderOf(written: readonly (WrittenDay | null)[], isoIn: Reading, last: string) {
  const rows = [...written.keys()].filter((row) => written[row]?.isOrdered === false)
  const read = {
    'day-first': rows.map((row) => isoIn('day-first')(written[row] ?? null)),
    'month-first': rows.map((row) => isoIn('month-first')(written[row] ?? null)),
  }
  const only = (order: DayOrder) => {
    const other = read[otherOf(order)]
    return rows.filter((_, index) => typeof read[order][index] === 'string' && other[index] === null)
  }
  const [dayFirst, monthFirst] = [only('day-first'), only('month-first')]
  const decided = (order: DayOrder) => ({ order, isOpen: false, examples: [] as number[] })
  if (dayFirst.length > 0 && monthFirst.length > 0) {
    const order = monthFirst.length > dayFirst.length ? 'month-first' : 'day-first'
    return { order, isOpen: true, examples: [dayFirst[0] ?? 0, monthFirst[0] ?? 0] } as const
  }
  if (dayFirst.length > 0) return decided('day-first')
  if (monthFirst.length > 0) return decided('month-first')
  const differing = rows.filter((_, index) => read['day-first'][index] !== read['month-first'][index])
  if (differing.length === 0) return decided('day-first')
  for (const evidence of [inTheFuture, steps, spans]) {
    const [one, other] = orders.map((order) =>
      evidence(
        read[order].filter((day) => day !== null),
        last,
      ),
    )
    if (one !== undefined && other !== undefined && Math.min(one, other) * 3 < Math.max(one, other))
      return decided(one < other ? 'day-first' : 'month-first')
  }
  return { order: 'day-first', isOpen: true, examples: differing.slice(0, 2) } as const
}

/** Number of days in the future. A statement does not contain any. */
function inTheFuture(days: readonly string[], last: string): number {
  return days.filter((day) => day > last).length
}

/** Number of changes of direction. A statement lists its days forwards or backwards. */
function steps(days: readonly string[]): number {
  const count = { up: 0, down: 0 }
  for (const [index, day] of days.entries()) {
    const before = days[index - 1] ?? day
    if (day > before) count.up += 1
    if (day < before) count.down += 1
  }
  return Math.min(count.up, count.down)
}

/** Length of the period in days. The wrong order spreads the days of one month over a year. */
function spans(days: readonly string[]): number {
  const times = days.map((day) => Date.parse(day) / 86_400_000)
  return (
    times.reduce((most, time) => Math.max(most, time), -Infinity) -
    times.reduce((least, time) => Math.min(least, time), Infinity)
  )
}

function otherOf(order: DayOrder): DayOrder {
  return order === 'day-first' ? 'month-first' : 'day-first'
}

/** Returns the last day of the period that the file states, or the last day of the year that the user chose. */
function periodOf(table: BankTable, place: number | null, answered: string | null): string | null {
  if (answered !== null) return `${answered}-12-31`
  const texts = table.above.flatMap(({ fields }) => fields)
  const stated = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}\s+(?:de\s+)?\p{L}{3,}\.?\s+(?:de[l]?\s+)?\d{4}/gu,
      ),
    ].flatMap(([part]) => isoOf(part)),
  )
  // Other columns of the table may contain whole dates, such as the value day.
  const beside = table.columns.flatMap((_, other) =>
    other === place
      ? []
      : daysOf(table, other).flatMap((day) =>
          day?.year && day.year.length === 4
            ? (isoDayOf(day, { order: 'day-first' }) ?? isoDayOf(day, { order: 'month-first' }) ?? [])
            : [],
        ),
  )
  const known = [...stated, ...(stated.length > 0 ? [] : beside)].sort()
  if (known.length > 0) return known.at(-1) ?? null
  const years = texts.flatMap((text) => text.match(/(?<!\d)20\d{2}(?!\d)/g) ?? []).sort()
  return years.length > 0 ? `${years.at(-1)}-12-31` : null
}

function isoOf(text: string): string[] {
  const day = parseDay(text)
  const iso =
    day === null || day.year === ''
      ? null
      : (isoDayOf(day, { order: 'day-first' }) ?? isoDayOf(day, { order: 'month-first' }))
  return iso === null ? [] : [iso]
}

function recentYears(last: string): string[] {
  const year = Number(last.slice(0, 4))
  return [year, year - 1, year - 2].map(String)
}

/** Returns the days of a column with Excel's day numbers, or `null` for any other column. */
function serialDaysOf(table: BankTable, place: number | null): (string | null)[] | null {
  const texts = textsOf(table, place)
  const serial = texts.map(readSerialDay)
  const count = serial.filter((day) => day !== null).length
  return count > 0 && count > texts.filter((text) => text !== '').length / 2 ? serial : null
}
