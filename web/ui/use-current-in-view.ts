import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Scrolls a row that is wider than the screen, so that its current item is in view. Returns the ref of the row. The row
 * scrolls again whenever `current` changes.
 */
export function useCurrentInView<Row extends HTMLElement>(
  selector: string,
  current: unknown,
): RefObject<Row | null> {
  const row = useRef<Row>(null)
  useLayoutEffect(() => {
    // In new browsers, `scrollIntoView` returns a promise. The braces keep React from taking this promise for the
    // effect's clean-up function.
    row.current?.querySelector(selector)?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [selector, current])
  return row
}
