import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { bogotaDay } from '#ui/format/dates.ts'
import { fold } from '#ui/format/text.ts'

/**
 * Creates columns for the values by which rows are searched, sorted and added up. A row's values are computed once,
 * when the row is first added. A row's slot never changes. New values are always appended, so the rows of a list do not
 * change while the list renders.
 */
export function emptyColumns() {
  return {
    rows: [] as Transaction[],
    folded: [] as string[],
    sortKeys: [] as string[],
    /** Day in Bogotá, as the number of days since 1970-01-01. */
    days: [] as number[],
    /** The amount: positive for deposits, negative for all other types. */
    signedMinor: [] as number[],
    /** The signed amount that is included in totals, which is 0 for a void row. */
    countedMinor: [] as number[],
    slots: new Map<Transaction, number>(),
    /** For each transaction id, the slot of the latest version of the row. */
    slotsById: new Map<string, number>(),
  }
}

export type HistoryColumns = ReturnType<typeof emptyColumns>

/** Returns the slot of a row. The first call for a row assigns its slot. */
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
 * Returns a sort key, so that a plain comparison of keys gives the Spanish alphabetical order. The key is in lower
 * case, without accents and without leading punctuation, and ñ is sorted after n. Sorting with a collator would take
 * ten times as long.
 */
function spanishKey(text: string): string {
  const counted = text.replace(/^[^\p{L}\p{N}]+/u, '')
  return fold(counted.normalize('NFD').replace(/n\u0303/gi, 'n~'))
}

/**
 * The functions below return sorted lists of slots as new arrays. The functions can add a row to a list of 100,000 rows
 * without sorting the list again.
 */

type Compare = (one: number, other: number) => number

/** Returns the list after inserting more slots at their sorted positions. */
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

/**
 * Equivalent to `slots.filter(isKept)`, but five times as fast, because the native method makes a full function call
 * for each slot.
 */
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

/** Returns the position at which a slot belongs in the list, searching only from `from` on. */
function positionOf(order: Uint32Array, slot: number, compare: Compare, from: number): number {
  let [low, high] = [from, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(slot, order[middle] ?? 0) < 0) high = middle
    else low = middle + 1
  }
  return low
}
