import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { isUnderDeposits, type HistoryIndex, type Order } from '#money/list/history-index.ts'
import { keepSlots } from '#money/list/row-columns.ts'
import { dayOf } from '#ui/format/dates.ts'
import { fold } from '#ui/format/text.ts'
import { shownCategory } from '#categories/category-badge.tsx'

export type Selection = {
  search: string
  /**
   * Selects rows that have one of these categories. If `withDeposits` is true, deposits are also selected. If `categories` is empty and `withDeposits` is false, all rows are selected.
   */
  categories: readonly string[]
  withDeposits: boolean
  /** First and last day in Bogotá, in the format of a date field. An empty string means no limit. */
  from: string
  to: string
  /** Smallest and largest amount in minor units, both inclusive. `null` means no limit. */
  minMinor: number | null
  maxMinor: number | null
  order: Order
}

export const everything: Selection = {
  search: '',
  categories: [],
  withDeposits: false,
  from: '',
  to: '',
  minMinor: null,
  maxMinor: null,
  order: 'date',
}

/** Returns whether the selection includes all rows, regardless of their order. */
export function isUnfiltered(selection: Selection): boolean {
  return selection.search.trim() === '' && !hasFilters(selection)
}

/** Returns whether a filter other than the search excludes rows. */
export function hasFilters({ categories, withDeposits, ...selection }: Selection): boolean {
  return categories.length > 0 || withDeposits || hasRange(selection)
}

/** Returns whether the rows are limited to a range of days or amounts. */
export function hasRange({
  from,
  to,
  minMinor,
  maxMinor,
}: Omit<Selection, 'categories' | 'withDeposits'>): boolean {
  return from !== '' || to !== '' || minMinor !== null || maxMinor !== null
}

export function selectRows(index: HistoryIndex, selection: Selection): Uint32Array {
  const { search, order, from, to, minMinor, maxMinor } = selection
  const slots = index.orders[order]
  if (isUnfiltered(selection)) return slots
  const { rows, folded, days, signedMinor } = index.columns
  const wanted = fold(search.trim())
  // The search reads only one column, because it runs on every key press. The other columns are read only if a filter
  // is active.
  const found = wanted === '' ? slots : keepSlots(slots, (slot) => folded[slot]?.includes(wanted) === true)
  if (!hasFilters(selection)) return found
  const isCategoryWanted = categoryTest(selection)
  const [firstDay, lastDay] = [
    from === '' ? Number.NEGATIVE_INFINITY : dayOf(from),
    to === '' ? Number.POSITIVE_INFINITY : dayOf(to),
  ]
  const isDayWanted = (day = Number.NaN) => (from === '' && to === '') || (day >= firstDay && day <= lastDay)
  const [least, most] = [minMinor ?? 0, maxMinor ?? Number.POSITIVE_INFINITY]
  return keepSlots(found, (slot) => {
    const row = rows[slot]
    const minor = Math.abs(signedMinor[slot] ?? 0)
    return (
      row !== undefined && isDayWanted(days[slot]) && minor >= least && minor <= most && isCategoryWanted(row)
    )
  })
}

function categoryTest({ categories, withDeposits }: Selection): (row: Transaction) => boolean {
  if (categories.length === 0 && !withDeposits) return () => true
  const wanted = new Set(categories)
  return (row) => (withDeposits && isUnderDeposits(row)) || wanted.has(shownCategory(row))
}
