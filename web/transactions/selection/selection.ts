import type { Transaction } from '@finanzas/contract/rows.ts'
import { isUnderDeposits, type HistoryIndex, type Order } from '#transactions/list/history-index.ts'
import { keepSlots } from '#transactions/list/row-columns.ts'
import { dayOf } from '#format/dates.ts'
import { fold } from '#format/text.ts'
import { shownCategory } from '#categorization/category-badge.tsx'

export type Selection = {
  search: string
  /** A row has one of them, or is a deposit where those are wanted too; nothing named is every row. */
  categories: readonly string[]
  withDeposits: boolean
  /** First and last day in Bogotá, as a date field writes them; empty where it is open. */
  from: string
  to: string
  /** Amounts in minor units, both included; `null` where it is open. */
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

/** Whether it shows every row, in whichever order. */
export function isUnfiltered(selection: Selection): boolean {
  return selection.search.trim() === '' && !hasFilters(selection)
}

/** Whether anything but the search leaves rows out. */
export function hasFilters({ categories, withDeposits, ...selection }: Selection): boolean {
  return categories.length > 0 || withDeposits || hasRange(selection)
}

/** Whether days or amounts leave rows out. */
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
  // One column is walked for each letter; the others only where something else is asked.
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
