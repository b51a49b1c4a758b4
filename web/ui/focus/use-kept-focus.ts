import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in an area whose rows may disappear. The area must have `tabIndex={-1}`. Without this hook, the
 * document's body would get the focus when the focused control disappears, or when the control that opened a dialog
 * disappears. The hook checks the focus whenever the calling component renders.
 *
 * `data-row` is the id of a row. If the row still exists, its element with `data-kept` takes the focus. Without such an
 * element, the row's first link or button takes the focus. If the row no longer exists, the element with `data-item` in
 * the next row takes the focus. If the control was outside the rows, the first element with `data-item` takes the
 * focus. Without such elements, the area takes the focus.
 */
export function useKeptFocus<Area extends HTMLElement>(): RefObject<Area | null> {
  const area = useRef<Area>(null)
  const latest = useRef<Element | null>(null)
  const row = useRef<string | undefined>(undefined)
  /** The ids of the rows at the last time when the focused control existed. */
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest('[role$=dialog]') !== null) return
      latest.current = area.current?.contains(target) === true ? target : null
      row.current = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    const rows = [...(area.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    if (latest.current?.isConnected !== false) {
      before.current = rows.map(idOf)
      return
    }
    if (document.activeElement !== document.body) return
    const same = rows.find((each) => idOf(each) === row.current)
    const control = same?.querySelector<HTMLElement>('[data-item], [data-kept], a, button')
    const next =
      control ?? nextItem(rows, before.current.slice(before.current.indexOf(row.current ?? '') + 1))
    if (next) next.focus()
    else area.current?.focus({ preventScroll: true })
  })
  return area
}

function idOf(row: HTMLElement): string {
  return row.dataset['row'] ?? ''
}

/** Returns the item of the first row whose id is in `following`. If that row does not exist, returns the last item. */
function nextItem(rows: readonly HTMLElement[], following: readonly string[]): HTMLElement | undefined {
  const items = rows.flatMap((row) => {
    const item = row.querySelector<HTMLElement>('[data-item]')
    return item === null ? [] : [{ id: idOf(row), item }]
  })
  return (items.find(({ id }) => following.includes(id)) ?? items.at(-1))?.item
}
