import { useLayoutEffect, useState } from 'react'

/** How far below the top of the document an element begins, in pixels, also after the window changed its size. */
export function useDistanceFromTop(element: { current: HTMLElement | null }): number {
  const [distancePx, setDistancePx] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      const top = element.current?.getBoundingClientRect().top ?? 0
      setDistancePx(Math.round(top + window.scrollY))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [element])
  return distancePx
}
