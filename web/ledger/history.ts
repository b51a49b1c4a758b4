import type { Transaction } from '@finanzas/contract/rows.ts'

/**
 * A customer's transactions, newest first, in pages as they were read. A page that did not change
 * stays the same array, so that what is computed from it can be kept.
 */
export type History = {
  pages: readonly (readonly Transaction[])[]
  /** Whether the last page has been read. */
  isComplete: boolean
}

export const emptyHistory: History = { pages: [], isComplete: false }

/** The history with one more page at its end, without the rows that it has already. */
export function appendPage(history: History, page: readonly Transaction[]): History {
  const known = new Set(history.pages.flatMap((earlier) => earlier.map((row) => row.id)))
  const added = page.filter((row) => !known.has(row.id))
  return added.length === 0 ? history : { ...history, pages: [...history.pages, added] }
}

/** The history with the row in its place by date, in place of an earlier version of it. */
export function upsertRow(history: History, row: Transaction): History {
  const { pages, isComplete } = removeRow(history, row.id)
  const fitting = pages.findIndex((page) => isNewer(row, page.at(-1)))
  // Older than everything read so far: it comes with a later page, unless this was the last one.
  if (fitting === -1 && !isComplete) return { pages, isComplete }
  const target = fitting === -1 ? pages.length - 1 : fitting
  const page = pages[target]
  if (page === undefined) return { pages: [[row]], isComplete }
  const before = page.findIndex((other) => isNewer(row, other))
  return {
    pages: pages.with(target, page.toSpliced(before === -1 ? page.length : before, 0, row)),
    isComplete,
  }
}

/** The history without that row. */
export function removeRow(history: History, id: string): History {
  const holding = history.pages.findIndex((page) => page.some((row) => row.id === id))
  const page = history.pages[holding]
  if (page === undefined) return history
  const rest = page.filter((row) => row.id !== id)
  return { ...history, pages: history.pages.with(holding, rest) }
}

function isNewer(row: Transaction, other: Transaction | undefined): boolean {
  if (other === undefined) return true
  const [rowMs, otherMs] = [Date.parse(row.date), Date.parse(other.date)]
  return rowMs === otherMs ? row.id > other.id : rowMs > otherMs
}
