import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in a list whose rows leave it. If the row that had the focus has left, the next row takes the focus,
 * and otherwise the area, which must have `tabIndex={-1}`. A row is an element whose `data-row` is its id, and its
 * first `data-item` takes the focus. The hook checks the focus whenever the calling component renders.
 */
export function useRowFocus<Area extends HTMLElement>(ids: readonly string[]): RefObject<Area | null> {
  const area = useRef<Area>(null)
  const focused = useRef<string | null>(null)
  /** The list as it was when it last contained the focused row. */
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      // A dialog about a row has the focus only for a while.
      if (!(target instanceof Element) || target.closest('[role=dialog]') !== null) return
      const row = area.current?.contains(target) ? target.closest<HTMLElement>('[data-row]') : null
      focused.current = row?.dataset['row'] ?? null
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    const { current: id } = focused
    if (id === null || ids.includes(id)) {
      before.current = ids
      return
    }
    if (document.activeElement !== document.body) return
    const next = before.current.slice(before.current.indexOf(id)).find((other) => ids.includes(other))
    const item = itemOf(area.current, next ?? ids.at(-1))
    if (item) item.focus()
    else area.current?.focus({ preventScroll: true })
  })
  return area
}

function itemOf(area: HTMLElement | null, id: string | undefined): HTMLElement | null {
  const rows = [...(area?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  return rows.find(({ dataset }) => dataset['row'] === id)?.querySelector<HTMLElement>('[data-item]') ?? null
}
