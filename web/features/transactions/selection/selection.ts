import type { Transaction } from '@finanzas/contract/rows.ts'
import {
  isUnderDeposits,
  type HistoryIndex,
  type Order,
} from '#features/transactions/history/history-index.ts'
import { fold } from '#format/text.ts'
import { shownCategory } from '#ledger/category-badge.tsx'

/** What a filter shows besides single categories: everything, or every deposit. */
export type CategoryFilter = { kind: 'all' } | { kind: 'deposits' } | { kind: 'category'; name: string }

export type Selection = { search: string; filter: CategoryFilter; order: Order }

export const everything: Selection = { search: '', filter: { kind: 'all' }, order: 'date' }

/** Whether it shows every row, in whichever order. */
export function isUnfiltered({ search, filter }: Selection): boolean {
  return search.trim() === '' && filter.kind === 'all'
}

export function selectRows(index: HistoryIndex, selection: Selection): Uint32Array {
  const { search, filter, order } = selection
  const slots = index.orders[order]
  if (isUnfiltered(selection)) return slots
  const wanted = fold(search.trim())
  const { rows, folded } = index.columns
  return slots.filter((slot) => {
    const row = rows[slot]
    return row !== undefined && matches(row, filter) && folded[slot]?.includes(wanted) === true
  })
}

function matches(row: Transaction, filter: CategoryFilter): boolean {
  if (filter.kind === 'all') return true
  if (filter.kind === 'deposits') return isUnderDeposits(row)
  return shownCategory(row) === filter.name
}
