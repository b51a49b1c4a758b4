import { transactionColumns } from '@finanzas/contract/database-types.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'

/**
 * A customer's transactions, newest first, divided into the pages in which they were read. Pages and rows that do not
 * change stay the same objects, so that values computed from them can be cached.
 */
export type History = {
  pages: readonly (readonly Transaction[])[]
  /** Whether the history has been read to its end at least once. */
  isComplete: boolean
  /**
   * Rows that have changed since the current read began, keyed by id. The value is the new row, or `null` for a deleted
   * row. The history remembers these changes, because a page that was read before a change may arrive after the change.
   * `changes` is `null` while no read is running.
   */
  changes: ReadonlyMap<string, Transaction | null> | null
}

/** Result of one request: all rows that are older than `after`, down to the last row of this page. */
export type ReadPage = {
  rows: readonly Transaction[]
  /** The last row of the previous page, or `null` for the first page. */
  after: Transaction | null
  isLast: boolean
}

export function beginReading(history: History | undefined): History {
  return { ...(history ?? { pages: [], isComplete: false }), changes: new Map() }
}

export function endReading(history: History): History {
  return { ...history, changes: null }
}

/**
 * Returns the history with a page merged into it. Rows that are missing from the page are removed, and new rows are
 * added. All other rows stay the same objects. Merging an unchanged page returns the same history object.
 */
export function mergePage(history: History, { rows, after, isLast }: ReadPage): History {
  const oldest = isLast ? null : (rows.at(-1) ?? null)
  const isBefore = (row: Transaction) => after !== null && compareNewestFirst(row, after) <= 0
  const isBehind = (row: Transaction) => oldest !== null && compareNewestFirst(row, oldest) > 0

  const { pages, changes } = history
  const isComplete = history.isComplete || isLast
  const first = firstIndex(pages, (page) => !isBefore(lastOf(page)))
  const end = firstIndex(pages, (page) => isBehind(firstOf(page)))
  const touched = pages.slice(first, Math.max(first, end)).flat()
  const from = firstIndex(touched, (row) => !isBefore(row))
  const to = firstIndex(touched, isBehind)
  const known = touched.slice(from, to)
  const changed = [...(changes?.values() ?? [])].filter(
    (row) => row !== null && !isBefore(row) && !isBehind(row),
  ) as Transaction[]
  const unchanged = rows.filter((row) => changes?.has(row.id) !== true)
  const merged = mergeRows(known, unchanged, changed)
  if (merged.length === known.length && merged.every((row, position) => row === known[position])) {
    return isComplete === history.isComplete ? history : { ...history, isComplete }
  }
  const replacement = [touched.slice(0, from), merged, touched.slice(to)].filter(({ length }) => length > 0)
  return { pages: pages.toSpliced(first, Math.max(0, end - first), ...replacement), isComplete, changes }
}

/** Returns the history with the row inserted by date, in place of any earlier version of the row. */
export function upsertRow(history: History, row: Transaction): History {
  const rest = withoutRow(history, row.id)
  const { isComplete } = history
  const changes = withChange(history, row.id, row)
  const fitting = firstIndex(rest, (page) => compareNewestFirst(row, lastOf(page)) < 0)
  // The row is older than all rows read so far, and a later page will contain it unless the history is complete.
  if (fitting === rest.length && !isComplete) return { pages: rest, isComplete, changes }
  const target = Math.min(fitting, rest.length - 1)
  const page = rest[target]
  if (page === undefined) return { pages: [[row]], isComplete, changes }
  const position = firstIndex(page, (other) => compareNewestFirst(row, other) < 0)
  return { pages: rest.with(target, page.toSpliced(position, 0, row)), isComplete, changes }
}

/** Returns the history's first rows as a single page. */
export function firstRows({ pages, isComplete }: History, rowsMax: number): History {
  const rows = pages.flat().slice(0, rowsMax)
  const isWhole = isComplete && rows.length === pages.reduce((sum, { length }) => sum + length, 0)
  return { pages: rows.length === 0 ? [] : [rows], isComplete: isWhole, changes: null }
}

export function removeRow(history: History, id: string): History {
  return { ...history, pages: withoutRow(history, id), changes: withChange(history, id, null) }
}

/**
 * Compares two rows by descending date and then by descending id, like the server. The result is negative if the first
 * row comes before the second.
 */
export function compareNewestFirst(one: Transaction, other: Transaction): number {
  return one.date === other.date ? compareTexts(other.id, one.id) : compareTimes(other.date, one.date)
}

/** Merges a page's rows with the changed rows. Rows that are equal to known rows stay the same objects. */
function mergeRows(
  known: readonly Transaction[],
  unchanged: readonly Transaction[],
  changed: readonly Transaction[],
): Transaction[] {
  const knownById = new Map(known.map((row) => [row.id, row]))
  const merged = unchanged.map((row) => {
    const earlier = knownById.get(row.id)
    return earlier !== undefined && isSameRow(earlier, row) ? earlier : row
  })
  return changed.length === 0 ? merged : merged.concat(changed).sort(compareNewestFirst)
}

function withChange({ changes }: History, id: string, row: Transaction | null): History['changes'] {
  return changes && new Map(changes).set(id, row)
}

function withoutRow({ pages }: History, id: string): History['pages'] {
  const holding = pages.findIndex((page) => page.some((row) => row.id === id))
  const page = pages[holding]
  if (page === undefined) return pages
  const rest = page.filter((row) => row.id !== id)
  return rest.length === 0 ? pages.toSpliced(holding, 1) : pages.with(holding, rest)
}

export function isSameRow(one: Transaction, other: Transaction): boolean {
  return transactionColumns.every((column) => one[column] === other[column])
}

/**
 * Compares UTC times as strings (exact to the microsecond) and all other times as dates (exact to the millisecond).
 */
function compareTimes(one: string, other: string): number {
  const isComparable = one.endsWith('+00:00') && other.endsWith('+00:00')
  return isComparable ? compareTexts(one, other) : Date.parse(one) - Date.parse(other)
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/**
 * Returns the index of the first element that passes the test, or the array's length if no element passes. All elements
 * after the first passing element must also pass.
 */
function firstIndex<Value>(values: readonly Value[], passes: (value: Value) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(values[middle] as Value)) high = middle
    else low = middle + 1
  }
  return low
}

// Pages are never empty, because a page is removed when it loses its only row.
function firstOf(page: readonly Transaction[]): Transaction {
  return page[0] as Transaction
}

function lastOf(page: readonly Transaction[]): Transaction {
  return page.at(-1) as Transaction
}
