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
  /** The selection in the controls, and that of the shown rows, which may lag behind. */
  selection: Selection
  shown: Selection
  select: (selection: Selection) => void
  /** The rows that are shown, from top to bottom. */
  rowsShown: () => readonly Transaction[]
  rowCount: number
}

/** Rows that take no longer to draw come with the letter that selects them. */
const promptMaxMs = 32
/** Fewer do not fill a screen, and say nothing of how long those take that do. */
const fullScreenRows = 12

const noPages: History['pages'] = []

/** A history as the address selects and orders it. */
export function useShownRows(history: History | undefined): ShownRows {
  const [selection, select] = useSelection()
  const [chosen, setChosen] = useState(selection)
  const [shown, setShown] = useState(selection)
  if (chosen !== selection) {
    // Reached by a step in the browser's history.
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
    // The rows are in the page by now, and laid out.
    if (slots.length >= fullScreenRows) isQuick.current = performance.now() - beganAt <= promptMaxMs
  }, [beganAt, slots])
  const selectSoon = useCallback(
    (next: Selection) => {
      select(next)
      setChosen(next)
      // A transition comes a frame or two later, since a browser puts off all but the next frame after an input. Where the
      // rows would keep a letter from its field they come in one, and typing stays ahead of the list.
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
