import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import type { History } from '#ledger/history.ts'
import { selectRows, type Selection } from '#ledger/selection/selection.ts'
import { useSelection } from '#ledger/selection/use-selection.ts'
import { advanceIndex, emptyIndex, type HistoryIndex } from './history-index.ts'
import { listItems, type ListItems } from './items.ts'

export type ShownRows = {
  index: HistoryIndex
  items: ListItems
  /** What the controls show, and what the rows do, which follow. */
  selection: Selection
  shown: Selection
  select: (selection: Selection) => void
  /** The rows that are shown, from top to bottom. */
  rowsShown: () => readonly Transaction[]
  rowCount: number
}

const noPages: History['pages'] = []

/** A history as the address selects and orders it. */
export function useShownRows(history: History | undefined): ShownRows {
  const [selection, select] = useSelection()
  // Typing stays ahead of the list: the field shows the letter before the rows have followed.
  const shown = useDeferredValue(selection)
  const index = useHistoryIndex(history?.pages ?? noPages)
  const slots = useMemo(() => selectRows(index, shown), [index, shown])
  const items = useMemo(() => listItems(index, slots, shown.order), [index, slots, shown.order])
  const rowsShown = useCallback(
    () => Array.from(slots, (slot) => index.columns.rows[slot] as Transaction),
    [index, slots],
  )
  return { index, items, selection, shown, select, rowsShown, rowCount: slots.length }
}

function useHistoryIndex(pages: History['pages']): HistoryIndex {
  const [index, setIndex] = useState(() => advanceIndex(emptyIndex(), pages))
  const current = index.pages === pages ? index : advanceIndex(index, pages)
  if (current !== index) setIndex(current)
  return current
}
