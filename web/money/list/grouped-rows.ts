import type { HistoryIndex, Order } from './history-index.ts'
import type { ListSource } from '#ui/virtual-list/use-list-window.ts'
import { isoDay } from '#ui/format/dates.ts'
import { monthOf } from '#ui/format/months.ts'

type Month = {
  /** `2026-11`, in Bogotá. Empty for rows with an invalid date. */
  month: string
  inMinor: number
  outMinor: number
}

/**
 * Flags of a row in date order: `above` means that the row above has the same day, and `below` means that the row below
 * does.
 */
export const sameDay = { above: 1, below: 2 } as const

/**
 * The list's items from top to bottom. In date order, each month's rows follow a band with the month's name and totals.
 */
export type ListItems = {
  length: number
  /** For each item: the slot of its row, or `-1 - n` if the item is the band of month `n`. */
  codes: Int32Array
  /** For each item: the `sameDay` flags of its row. */
  sameDays: Uint8Array
  months: readonly Month[]
  /** Indexes of the bands in ascending order. */
  bands: readonly number[]
  inMinor: number
  outMinor: number
}

export function listItems(index: HistoryIndex, slots: Uint32Array, order: Order): ListItems {
  const { days: dayOfSlot, countedMinor } = index.columns
  const codes = new Int32Array(slots.length * 2)
  const sameDays = new Uint8Array(slots.length * 2)
  const months: Month[] = []
  const bands: number[] = []
  let length = 0
  let [inMinor, outMinor] = [0, 0]
  let day = Number.POSITIVE_INFINITY
  let firstDay = Number.POSITIVE_INFINITY
  let month: Month = { month: '', inMinor: 0, outMinor: 0 }
  for (const slot of slots) {
    const minor = countedMinor[slot] ?? 0
    if (minor > 0) inMinor += minor
    else outMinor -= minor
    if (order === 'date') {
      const dayOfRow = dayOfSlot[slot] ?? Number.NaN
      if (Object.is(day, dayOfRow)) {
        sameDays[length - 1] = (sameDays[length - 1] ?? 0) | sameDay.below
        sameDays[length] = sameDay.above
      } else {
        day = dayOfRow
        // Formats only one day per month, because formatting every day would take three milliseconds longer for 100,000
        // rows.
        if (!(day >= firstDay)) {
          const text = Number.isNaN(day) ? '' : isoDay(day)
          firstDay = day - Number(text.slice(-2)) + 1
          month = { month: monthOf(text), inMinor: 0, outMinor: 0 }
          codes[length] = -1 - months.length
          bands.push(length)
          months.push(month)
          length += 1
        }
      }
      if (minor > 0) month.inMinor += minor
      else month.outMinor -= minor
    }
    codes[length] = slot
    length += 1
  }
  return {
    length,
    codes: codes.subarray(0, length),
    sameDays: sameDays.subarray(0, length),
    months,
    bands,
    inMinor,
    outMinor,
  }
}

const kinds = { row: 0, band: 1 } as const

/**
 * Estimated heights of a row and of a band on a phone. The measured heights of the first rendered items replace these
 * estimates.
 */
const kindHeightsRem = [3.5, 1.5]

const monthPrefix = 'month '

/**
 * Returns the items as the source of a virtual list. A row's key is the transaction id, and a band's key is the month.
 */
export function listSource({ columns }: HistoryIndex, items: ListItems): ListSource {
  const { codes, months, bands } = items
  const { rows, slotsById } = columns
  return {
    count: items.length,
    kindHeightsRem,
    bands,
    keyOf: (index) => {
      const code = codes[index] ?? 0
      return code < 0 ? `${monthPrefix}${months[-1 - code]?.month}` : (rows[code]?.id ?? '')
    },
    indexOf: (key) => {
      if (key.startsWith(monthPrefix)) {
        return bands[months.findIndex(({ month }) => `${monthPrefix}${month}` === key)] ?? -1
      }
      const slot = slotsById.get(key)
      return slot === undefined ? -1 : codes.indexOf(slot)
    },
    kindOf: (index) => ((codes[index] ?? 0) < 0 ? kinds.band : kinds.row),
  }
}
