import { useLayoutEffect, useState } from 'react'

/**
 * How far the page scrolls until an element reaches the place that its `scroll-margin-top` names, in
 * pixels, also after the window changed its size.
 */
export function useScrollDistance(element: { current: HTMLElement | null }): number {
  const [distancePx, setDistancePx] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current === null) return
      const { top } = element.current.getBoundingClientRect()
      const marginPx = Number.parseFloat(window.getComputedStyle(element.current).scrollMarginTop) || 0
      setDistancePx(Math.round(top + window.scrollY - marginPx))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [element])
  return distancePx
}
