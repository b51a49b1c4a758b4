import { startTransition, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import type { History } from '#data/history.ts'
import { selectRows, type Selection } from '#money/selection/selection.ts'
import { useSelection } from '#money/selection/use-selection.ts'
import { advanceIndex, emptyIndex, type HistoryIndex } from './history-index.ts'
import { listItems, type ListItems } from './grouped-rows.ts'

export type ShownRows = {
  index: HistoryIndex
  items: ListItems
  /** The selection that the controls show. */
  selection: Selection
  /** The selection that the rows on screen match, which may lag behind the controls. */
  shown: Selection
  select: (selection: Selection) => void
  /** Returns the rows in the list from top to bottom. */
  rowsShown: () => readonly Transaction[]
  rowCount: number
}

/** Maximum drawing time for which the page draws the rows in the same frame as the typed letter. */
const promptMaxMs = 32
/**
 * Number of rows that fill a screen. The drawing time of fewer rows does not predict the drawing time of a full screen.
 */
const fullScreenRows = 12

const noPages: History['pages'] = []

/** Returns the rows that the URL selects, in the order that the URL specifies. */
export function useShownRows(history: History | undefined): ShownRows {
  const [selection, select] = useSelection()
  const [chosen, setChosen] = useState(selection)
  const [shown, setShown] = useState(selection)
  if (chosen !== selection) {
    // The user reached this selection with the browser's back or forward button.
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
    // At this point, React has inserted the rows into the document.
    if (slots.length >= fullScreenRows) isQuick.current = performance.now() - beganAt <= promptMaxMs
  }, [beganAt, slots])
  const selectSoon = useCallback(
    (next: Selection) => {
      select(next)
      setChosen(next)
      // In a transition, the rows appear one or two frames later than the typed letter. Rows that are slow to draw need
      // a transition, because they would otherwise delay the letter.
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
