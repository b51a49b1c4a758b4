import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * For an area whose rows may go while they have the focus, or while a dialog that they opened has it: the area takes it
 * then, instead of the page's beginning. It needs a `tabIndex` of -1, and is looked at whenever its owner is drawn.
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
