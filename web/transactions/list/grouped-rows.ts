import type { HistoryIndex, Order } from './history-index.ts'
import type { ListSource } from '#ui/virtual-list/use-list-window.ts'

type Day = {
  /** In Bogotá, counted from 1970-01-01; `NaN` for rows with an unreadable date. */
  day: number
  totalMinor: number
}

/** A row that is alone in its day, one that others of its heading follow, and the last of them. */
export const places = { alone: 0, within: 1, last: 2 } as const

/**
 * Items of the list from top to bottom. In date order several rows of one day stand under the day and its total. A row
 * says its date and amount itself, so one alone needs no heading.
 */
export type ListItems = {
  length: number
  /** For each item the slot of its row, or `-1 - n` for the heading of day `n`. */
  codes: Int32Array
  /** For each item the place of its row among those of its day. */
  places: Uint8Array
  days: readonly Day[]
  headings: readonly number[]
  inMinor: number
  outMinor: number
}

export function listItems(index: HistoryIndex, slots: Uint32Array, order: Order): ListItems {
  const { days: dayOfSlot, countedMinor } = index.columns
  const codes = new Int32Array(slots.length * 2)
  const placeOf = new Uint8Array(slots.length * 2)
  const days: Day[] = []
  const headings: number[] = []
  let length = 0
  let [inMinor, outMinor] = [0, 0]
  /** The day of the rows that are being passed, as if it had a heading. */
  let current: Day = { day: Number.POSITIVE_INFINITY, totalMinor: 0 }
  let rowsOfDay = 0
  for (const slot of slots) {
    const minor = countedMinor[slot] ?? 0
    if (minor > 0) inMinor += minor
    else outMinor -= minor
    if (order === 'date') {
      const day = dayOfSlot[slot] ?? Number.NaN
      if (!Object.is(current.day, day)) {
        current = { day, totalMinor: 0 }
        rowsOfDay = 0
      }
      rowsOfDay += 1
      current.totalMinor += minor
      if (rowsOfDay === 2) {
        // The heading goes above the row that was alone until now.
        codes[length] = codes[length - 1] ?? 0
        codes[length - 1] = -1 - days.length
        headings.push(length - 1)
        days.push(current)
        length += 1
      }
      if (rowsOfDay > 1) {
        placeOf[length - 1] = places.within
        placeOf[length] = places.last
      }
    }
    codes[length] = slot
    length += 1
  }
  return {
    length,
    codes: codes.subarray(0, length),
    places: placeOf.subarray(0, length),
    days,
    headings,
    inMinor,
    outMinor,
  }
}

const kinds = { row: 0, bankRow: 1, day: 2 } as const

/**
 * Height on a phone, until the first drawn rows correct it. There, a row that the bank recorded has an extra line that
 * says so.
 */
const kindHeightsRem = [3.5, 4.5, 1.75]

const dayPrefix = 'day '

/** The items as a virtual list wants them. A row keeps its id as its name, a heading its day. */
export function listSource({ columns }: HistoryIndex, items: ListItems): ListSource {
  const { codes, days, headings } = items
  const { rows, slotsById } = columns
  return {
    count: items.length,
    kindHeightsRem,
    keyOf: (index) => {
      const code = codes[index] ?? 0
      return code < 0 ? `${dayPrefix}${days[-1 - code]?.day}` : (rows[code]?.id ?? '')
    },
    indexOf: (key) => {
      if (key.startsWith(dayPrefix)) {
        return headings[days.findIndex(({ day }) => `${dayPrefix}${day}` === key)] ?? -1
      }
      const slot = slotsById.get(key)
      return slot === undefined ? -1 : codes.indexOf(slot)
    },
    kindOf: (index) => {
      const code = codes[index] ?? 0
      if (code < 0) return kinds.day
      return rows[code]?.recorded_by === 'bank' ? kinds.bankRow : kinds.row
    },
  }
}
