import { useRef, useState, type PointerEvent } from 'react'

/** Follows a drag to the right; one that ends beyond the threshold is a swipe, any other springs back. */
export function useSwipe(thresholdPx: number, onSwipe: () => void) {
  const startX = useRef<number | null>(null)
  const [offsetPx, setOffsetPx] = useState(0)

  const release = () => {
    startX.current = null
    setOffsetPx(0)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) startX.current = event.clientX
    },
    onPointerMove: (event: PointerEvent) => {
      if (startX.current === null) return
      const distance = Math.max(0, event.clientX - startX.current)
      // Only a drag captures the pointer: a captured click would miss the button under it.
      if (distance > 4) event.currentTarget.setPointerCapture(event.pointerId)
      setOffsetPx(distance)
    },
    onPointerUp: (event: PointerEvent) => {
      const isSwipe = startX.current !== null && event.clientX - startX.current >= thresholdPx
      release()
      if (isSwipe) onSwipe()
    },
    onPointerCancel: release,
  }
  return { offsetPx, handlers }
}
