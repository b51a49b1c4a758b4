import { useState } from 'react'

type Options = {
  /** Number of rows that the page reads initially. */
  first: number
  /** Maximum number of rows, because the page reads all shown rows again after every change. */
  max: number
  /** Returns the next number of rows. */
  next: (rowsMax: number) => number
}

/**
 * Returns how many of the latest rows the page reads, and a function that returns how to show more: `null` if the list
 * is complete or has its maximum length. A list that changes while it is on screen reads its latest rows in one request,
 * not page by page, because a change would otherwise repeat the request of every page.
 */
export function useRowsMax({ first, max, next }: Options) {
  const [rowsMax, setRowsMax] = useState(first)
  const moreOf = (rowsRead: number) =>
    rowsRead < rowsMax || rowsMax >= max ? null : () => setRowsMax(Math.min(next(rowsMax), max))
  return { rowsMax, moreOf }
}
