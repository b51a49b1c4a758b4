import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in an area whose rows may disappear. If a row disappears while the row or its dialog has the focus,
 * the area takes the focus, which would otherwise be lost to the document's body. The area must have `tabIndex={-1}`.
 * The hook checks the focus whenever the calling component renders. If a row moves to another place, the first link or
 * button of the row with the same `data-row` value takes the focus.
 */
export function useKeptFocus<Area extends HTMLElement>(): RefObject<Area | null> {
  const area = useRef<Area>(null)
  const latest = useRef<Element | null>(null)
  const row = useRef<string | undefined>(undefined)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest('[role=dialog]') !== null) return
      latest.current = area.current?.contains(target) === true ? target : null
      row.current = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    if (latest.current?.isConnected !== false || document.activeElement !== document.body) return
    const rows = [...(area.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const moved = rows.find(({ dataset }) => dataset['row'] === row.current)
    const control = moved?.querySelector<HTMLElement>('a, button')
    if (control) control.focus()
    else area.current?.focus({ preventScroll: true })
  })
  return area
}
