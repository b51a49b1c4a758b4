import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in an area whose rows may disappear while they, or a dialog that they opened, have the focus. The
 * area itself then takes the focus, which would otherwise go to the top of the page. It needs `tabIndex={-1}`, and is
 * checked at each render of the calling component.
 */
export function useKeptFocus<Area extends HTMLElement>(): RefObject<Area | null> {
  const area = useRef<Area>(null)
  const latest = useRef<Element | null>(null)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest('[role=dialog]') !== null) return
      latest.current = area.current?.contains(target) === true ? target : null
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useLayoutEffect(() => {
    if (latest.current?.isConnected === false && document.activeElement === document.body)
      area.current?.focus({ preventScroll: true })
  })
  return area
}
