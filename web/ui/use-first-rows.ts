import { useState } from 'react'

type Options = {
  /** Number of rows that are shown initially. */
  first: number
  /** Number of rows that each press of the button adds. Without a step, the button shows all rows. */
  step?: number
}

/**
 * Returns the first rows of a list that the page has already read, the number of the other rows, and a function that
 * shows more rows.
 */
export function useFirstRows<Row>(rows: readonly Row[], { first, step = Infinity }: Options) {
  const [shownMax, setShownMax] = useState(first)
  return {
    shown: rows.slice(0, shownMax),
    left: Math.max(0, rows.length - shownMax),
    showMore: () => setShownMax(shownMax + step),
  }
}
