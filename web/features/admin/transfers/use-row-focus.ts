import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in a list whose rows leave it. If the row that had the focus has left, the next row takes the focus,
 * and otherwise the area, which must have `tabIndex={-1}`. If a control above the rows had the focus and has
 * disappeared, the first row takes the focus. A row is an element whose `data-row` is its id, and its first `data-item`
 * takes the focus. The hook checks the focus whenever the calling component renders.
 */
export function useRowFocus<Area extends HTMLElement>(ids: readonly string[]): RefObject<Area | null> {
  const area = useRef<Area>(null)
  const focused = useRef<string | null>(null)
  /** The focused control of the area that is not in a row. */
  const control = useRef<Element | null>(null)
  /** The list as it was when it last contained the focused row. */
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      // A dialog about a row has the focus only for a while.
      if (!(target instanceof Element) || target.closest('[role=dialog]') !== null) return
      const isInArea = area.current?.contains(target) === true
      const row = isInArea ? target.closest<HTMLElement>('[data-row]') : null
      focused.current = row?.dataset['row'] ?? null
      control.current = isInArea && row === null ? target : null
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    const { current: id } = focused
    const isLost = id === null ? control.current?.isConnected === false : !ids.includes(id)
    if (!isLost) {
      before.current = ids
      return
    }
    if (document.activeElement !== document.body) return
    const item = itemOf(area.current, id === null ? ids[0] : nextOf(id, { before: before.current, ids }))
    if (item) item.focus()
    else area.current?.focus({ preventScroll: true })
  })
  return area
}

/** Returns the row that follows the row which has left, or the last row. */
function nextOf(
  id: string,
  { before, ids }: { before: readonly string[]; ids: readonly string[] },
): string | undefined {
  return before.slice(before.indexOf(id)).find((other) => ids.includes(other)) ?? ids.at(-1)
}

function itemOf(area: HTMLElement | null, id: string | undefined): HTMLElement | null {
  const rows = [...(area?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  return rows.find(({ dataset }) => dataset['row'] === id)?.querySelector<HTMLElement>('[data-item]') ?? null
}
