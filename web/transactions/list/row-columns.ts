import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { bogotaDay } from '#format/dates.ts'
import { fold } from '#format/text.ts'

/**
 * Values of a row for searching, sorting and adding up, computed once when the row is first seen. The slot of a row
 * never changes. Columns only grow, so a list does not see changes while it renders.
 */
export function emptyColumns() {
  return {
    rows: [] as Transaction[],
    folded: [] as string[],
    sortKeys: [] as string[],
    /** In Bogotá, counted from 1970-01-01. */
    days: [] as number[],
    /** Positive for deposits, negative for everything else. */
    signedMinor: [] as number[],
    /** The signed amount that a total adds up: 0 for a void row. */
    countedMinor: [] as number[],
    slots: new Map<Transaction, number>(),
    /** The slot of the latest row of each id. */
    slotsById: new Map<string, number>(),
  }
}

export type HistoryColumns = ReturnType<typeof emptyColumns>

/** Returns the slot of a row and assigns one at the first call. */
export function slotOf(columns: HistoryColumns, row: Transaction): number {
  const known = columns.slots.get(row)
  if (known !== undefined) return known
  const slot = columns.rows.length
  const amountMinor: number = minorFromDecimal(row.amount) ?? 0
  columns.slots.set(row, slot)
  columns.slotsById.set(row.id, slot)
  columns.rows.push(row)
  columns.folded.push(fold(row.description))
  columns.sortKeys.push(spanishKey(row.description))
  columns.days.push(bogotaDay(row.date))
  const signedMinor = row.type === 'deposit' ? amountMinor : -amountMinor
  columns.signedMinor.push(signedMinor)
  columns.countedMinor.push(row.is_void ? 0 : signedMinor)
  return slot
}

/**
 * Returns a key whose plain text order is the Spanish order. It has no accents, capitals or characters before the first
 * letter or digit, and ñ comes after n. A collator takes ten times as long.
 */
function spanishKey(text: string): string {
  const counted = text.replace(/^[^\p{L}\p{N}]+/u, '')
  return fold(counted.normalize('NFD').replace(/n\u0303/gi, 'n~'))
}

/**
 * The functions below return sorted lists of slots as new arrays. They add a row to 100,000 others without sorting
 * again.
 */

type Compare = (one: number, other: number) => number

/** Returns the list with more slots, each in its place. */
export function withSlots(order: Uint32Array, added: readonly number[], compare: Compare): Uint32Array {
  if (added.length === 0) return order
  const result = new Uint32Array(order.length + added.length)
  let [taken, length] = [0, 0]
  for (const slot of [...added].sort(compare)) {
    const position = positionOf(order, slot, compare, taken)
    result.set(order.subarray(taken, position), length)
    length += position - taken
    taken = position
    result[length] = slot
    length += 1
  }
  result.set(order.subarray(taken), length)
  return result
}

export function withoutSlots(order: Uint32Array, removed: ReadonlySet<number>): Uint32Array {
  return removed.size === 0 ? order : keepSlots(order, (slot) => !removed.has(slot))
}

/** Does `slots.filter(isKept)` in a fifth of the time: the native method makes a full call of `isKept` each time. */
export function keepSlots(slots: Uint32Array, isKept: (slot: number) => boolean): Uint32Array {
  const kept = new Uint32Array(slots.length)
  let length = 0
  for (let place = 0; place < slots.length; place += 1) {
    const slot = slots[place] ?? 0
    if (!isKept(slot)) continue
    kept[length] = slot
    length += 1
  }
  return kept.slice(0, length)
}

/** Returns the position of a slot in the list, at `from` or after it. */
function positionOf(order: Uint32Array, slot: number, compare: Compare, from: number): number {
  let [low, high] = [from, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(slot, order[middle] ?? 0) < 0) high = middle
    else low = middle + 1
  }
  return low
}
