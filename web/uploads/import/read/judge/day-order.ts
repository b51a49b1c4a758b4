/** Judges the order of day and month in the dates of a file. */
import type { DayOrder, WrittenDay } from '#uploads/import/read/days.ts'
import type { Period } from './period.ts'

/** Reads a date in one order, as `2026-11-20` or `null`. */
export type ReadInOrder = (order: DayOrder) => (day: WrittenDay | null) => string | null

type Column = readonly (WrittenDay | null)[]

type Circumstances = {
  readonly read: ReadInOrder
  /** The other columns of days. */
  readonly others: readonly Column[]
  /** The period that the file states. */
  readonly period: Period | null
  /** The last day that a transaction may have. */
  readonly last: string
}

export type OrderJudgement = {
  /** The order, or the more likely one if the order is open. */
  readonly order: DayOrder
  readonly isOpen: boolean
  /** Two rows that show why the order is open. */
  readonly examples: readonly number[]
}

const orders = ['day-first', 'month-first'] as const

export function judgeOrder(own: Column, circumstances: Circumstances): OrderJudgement {
  const { read, others, period, last } = circumstances
  const rows = [...own.keys()].filter((row) => own[row]?.isOrdered === false)
  const only = onlyPossible(own, read)
  if (only['day-first'].length > 0 && only['month-first'].length > 0) {
    const order = only['month-first'].length > only['day-first'].length ? 'month-first' : 'day-first'
    return { order, isOpen: true, examples: orders.map((each) => only[each][0] ?? 0) }
  }
  const decided = (order: DayOrder) => ({ order, isOpen: false, examples: [] })
  for (const order of orders) if (only[order].length > 0) return decided(order)
  const days = { 'day-first': own.map(read('day-first')), 'month-first': own.map(read('month-first')) }
  const differing = rows.filter((row) => days['day-first'][row] !== days['month-first'][row])
  if (differing.length === 0) return decided('day-first')
  const proven =
    orders.find((order) =>
      others.some((other) => {
        const possible = onlyPossible(other, read)
        return possible[order].length > 0 && possible[otherOf(order)].length === 0
      }),
    ) ??
    onlyOne((order) => others.some((other) => areNear(days[order], other.map(read(order))))) ??
    onlyOne((order) => period !== null && differing.every((row) => isWithin(days[order][row], period)))
  if (proven !== undefined) return decided(proven)
  const ofRows = (order: DayOrder) => rows.flatMap((row) => days[order][row] ?? [])
  const counts = (count: (days: readonly string[]) => number) =>
    orders.map((order) => count(ofRows(order))) as [number, number]
  const future = counts((each) => each.filter((day) => day > last).length)
  const turns = counts(turnsOf)
  const votes = [lower(future, 1), lower(turns, turnsMin)]
  const doubts = [lower(future, 1), lower(turns, 1)]
  const voted = votes.find((vote) => vote !== null) ?? null
  if (voted !== null && doubts.every((doubt) => doubt === null || doubt === voted)) return decided(voted)
  return { order: lower(counts(spanOf), 1) ?? 'day-first', isOpen: true, examples: differing.slice(0, 2) }
}

/** Returns the rows whose day exists in only one order, by this order. */
function onlyPossible(column: Column, read: ReadInOrder): Record<DayOrder, number[]> {
  const only: Record<DayOrder, number[]> = { 'day-first': [], 'month-first': [] }
  for (const [row, day] of column.entries()) {
    if (day === null || day.isOrdered) continue
    const possible = orders.filter((order) => read(order)(day) !== null)
    if (possible.length === 1 && possible[0] !== undefined) only[possible[0]].push(row)
  }
  return only
}

function onlyOne(holds: (order: DayOrder) => boolean): DayOrder | undefined {
  const holding = orders.filter(holds)
  return holding.length === 1 ? holding[0] : undefined
}

/** Number of days between the day of a purchase and the day on which the bank books it. */
const bookedWithin = 10

function areNear(days: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  const distances = days.flatMap((day, row) => {
    const other = others[row] ?? null
    return day === null || other === null ? [] : [Math.abs(dayNumber(day) - dayNumber(other))]
  })
  return distances.length > 0 && distances.every((distance) => distance <= bookedWithin)
}

function isWithin(day: string | null | undefined, { first, last }: Period): boolean {
  return typeof day === 'string' && day >= first && day <= last
}

/** Number of changes of direction in the wrong order. A single one occurs in the right order too. */
const turnsMin = 2

/** Number of changes of direction. A statement lists its days forwards or backwards. */
function turnsOf(days: readonly string[]): number {
  const count = { up: 0, down: 0 }
  for (const [index, day] of days.entries()) {
    const before = days[index - 1] ?? day
    if (day > before) count.up += 1
    if (day < before) count.down += 1
  }
  return Math.min(count.up, count.down)
}

/** Length of the period in days. The wrong order often spreads the days of one month over a year. */
export function spanOf(days: readonly string[]): number {
  const numbers = days.map(dayNumber)
  return (
    numbers.reduce((most, day) => Math.max(most, day), -Infinity) -
    numbers.reduce((least, day) => Math.min(least, day), Infinity)
  )
}

/** Returns the order with the lower figure if the other figure is at least `min`, and three times as high. */
function lower([dayFirst, monthFirst]: readonly [number, number], min: number): DayOrder | null {
  const [low, high] = [Math.min(dayFirst, monthFirst), Math.max(dayFirst, monthFirst)]
  if (high < min || high <= 3 * low) return null
  return dayFirst < monthFirst ? 'day-first' : 'month-first'
}

export function dayNumber(day: string): number {
  return Date.parse(day) / 86_400_000
}

function otherOf(order: DayOrder): DayOrder {
  return order === 'day-first' ? 'month-first' : 'day-first'
}
