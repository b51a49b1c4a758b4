import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback, useMemo, useRef } from 'react'
import type { ListItem } from './list-items.ts'

/** Keeps the heading of the day at the top of the view among the items drawn, so that it can stick there. */
export function useStickyHeading(items: readonly ListItem[]) {
  const stickyIndex = useRef(-1)
  const headings = useMemo(
    () => items.flatMap((item, position) => (item.kind === 'day' ? [position] : [])),
    [items],
  )
  const rangeExtractor = useCallback(
    (range: Range) => {
      const current = lastAtOrBefore(headings, range.startIndex)
      stickyIndex.current = current
      const drawn = defaultRangeExtractor(range)
      return current === -1 || drawn.includes(current) ? drawn : [current, ...drawn]
    },
    [headings],
  )
  return { stickyIndex, rangeExtractor }
}

/** The greatest of the ascending numbers that is not above the limit, or -1. */
function lastAtOrBefore(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return ascending[low - 1] ?? -1
}
