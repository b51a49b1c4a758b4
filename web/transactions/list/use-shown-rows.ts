import { startTransition, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import type { History } from '#ledger/history.ts'
import { selectRows, type Selection } from '#transactions/selection/selection.ts'
import { useSelection } from '#transactions/selection/use-selection.ts'
import { advanceIndex, emptyIndex, type HistoryIndex } from './history-index.ts'
import { listItems, type ListItems } from './grouped-rows.ts'

export type ShownRows = {
  index: HistoryIndex
  items: ListItems
  /** The selection in the controls. */
  selection: Selection
  /** The selection of the shown rows, which may lag behind the controls. */
  shown: Selection
  select: (selection: Selection) => void
  /** Returns the shown rows from top to bottom. */
  rowsShown: () => readonly Transaction[]
  rowCount: number
}

/** Rows that take at most this time to draw appear together with the typed letter. */
const promptMaxMs = 32
/** Rows that fill a screen. The time of fewer rows does not predict the time of a full screen. */
const fullScreenRows = 12

const noPages: History['pages'] = []

/** Returns the rows that the address selects, in its order. */
export function useShownRows(history: History | undefined): ShownRows {
  const [selection, select] = useSelection()
  const [chosen, setChosen] = useState(selection)
  const [shown, setShown] = useState(selection)
  if (chosen !== selection) {
    // The user reached this selection by a step in the browser's history.
    setChosen(selection)
    setShown(selection)
  }
  const index = useHistoryIndex(history?.pages ?? noPages)
  const { beganAt, slots } = useMemo(
    () => ({ beganAt: performance.now(), slots: selectRows(index, shown) }),
    [index, shown],
  )
  const items = useMemo(() => listItems(index, slots, shown.order), [index, slots, shown.order])
  const rowsShown = useCallback(
    () => Array.from(slots, (slot) => index.columns.rows[slot] as Transaction),
    [index, slots],
  )
  const isQuick = useRef(false)
  useLayoutEffect(() => {
    // React has inserted the rows into the page.
    if (slots.length >= fullScreenRows) isQuick.current = performance.now() - beganAt <= promptMaxMs
  }, [beganAt, slots])
  const selectSoon = useCallback(
    (next: Selection) => {
      select(next)
      setChosen(next)
      // A transition shows the rows a frame or two later than the typed letter. Slow rows need a transition, because they
      // would otherwise delay the letter.
      if (isQuick.current) setShown(next)
      else startTransition(() => setShown(next))
    },
    [select],
  )
  return { index, items, selection, shown, select: selectSoon, rowsShown, rowCount: slots.length }
}

function useHistoryIndex(pages: History['pages']): HistoryIndex {
  const [index, setIndex] = useState(() => advanceIndex(emptyIndex(), pages))
  const current = index.pages === pages ? index : advanceIndex(index, pages)
  if (current !== index) setIndex(current)
  return current
}
