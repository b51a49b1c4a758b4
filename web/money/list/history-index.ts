import { depositCategory } from '@finanzas/contract/categories.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { lazily } from '#ui/format/lazily.ts'
import { hasCategory, shownCategory } from '#categories/category-badge.tsx'
import { compareNewestFirst, type History } from '#data/history.ts'
import { emptyColumns, slotOf, withoutSlots, withSlots, type HistoryColumns } from './row-columns.ts'

export type Order = 'date' | 'amount' | 'description'

/**
 * An index of the history for searching and sorting. A search only scans arrays, and a new row is inserted at its
 * position without sorting again.
 */
export type HistoryIndex = {
  pages: History['pages']
  columns: HistoryColumns
  orders: Readonly<Record<Order, Uint32Array>>
  counts: Counts
  /**
   * Each distinct category, in Spanish alphabetical order. The category Deposito is omitted if it would select the same
   * rows as the option for all deposits.
   */
  categories: readonly string[]
}

type Counts = {
  /** Number of rows in each category. Expenses without a category are counted under the name of their type. */
  byCategory: ReadonlyMap<string, number>
  deposits: number
}

const collator = lazily(() => new Intl.Collator('es'))

/** An index with at most this number of slots is not rebuilt, even if most of the slots belong to removed rows. */
const slotsBeforeRenewal = 2000

export function emptyIndex(): HistoryIndex {
  const none = new Uint32Array()
  return {
    pages: [],
    columns: emptyColumns(),
    orders: { date: none, amount: none, description: none },
    counts: { byCategory: new Map(), deposits: 0 },
    categories: [],
  }
}

/**
 * Returns an index of the given pages. Updates the earlier index, and therefore processes only rows that were added or
 * removed.
 */
export function advanceIndex(earlier: HistoryIndex, pages: History['pages']): HistoryIndex {
  if (pages === earlier.pages) return earlier
  const { came, gone } = differences(earlier.pages, pages)
  const { columns } = earlier
  const rowsLeft = earlier.orders.date.length + came.length - gone.size
  const isMostlyGone = columns.rows.length > Math.max(slotsBeforeRenewal, 2 * rowsLeft)
  if (isMostlyGone && earlier.pages.length > 0) return advanceIndex(emptyIndex(), pages)

  const added = came.map((row) => slotOf(columns, row))
  const removed = new Set([...gone].map((row) => slotOf(columns, row)))
  const compare = comparisonsOf(columns)
  const ordered = (order: Order) =>
    withSlots(withoutSlots(earlier.orders[order], removed), added, compare[order])
  const counts = advanceCounts(earlier.counts, came, gone)
  return {
    pages,
    columns,
    orders: { date: ordered('date'), amount: ordered('amount'), description: ordered('description') },
    counts,
    categories: offersTheSame(counts, earlier.counts) ? earlier.categories : offeredCategories(counts),
  }
}

/** Returns the rows that are only in the later pages, and the rows that are only in the earlier pages. */
function differences(earlier: History['pages'], later: History['pages']) {
  const [earlierPages, laterPages] = [new Set(earlier), new Set(later)]
  const gone = new Set(earlier.filter((page) => !laterPages.has(page)).flat())
  // A row that merely moved to another page counts as neither added nor removed.
  const came = later
    .filter((page) => !earlierPages.has(page))
    .flatMap((page) => page.filter((row) => !gone.delete(row)))
  return { came, gone }
}

function comparisonsOf({ rows, signedMinor, sortKeys }: HistoryColumns) {
  const newestFirst = (one: number, other: number) => compareNewestFirst(at(rows, one), at(rows, other))
  return {
    date: newestFirst,
    amount: (one: number, other: number) =>
      Math.abs(at(signedMinor, other)) - Math.abs(at(signedMinor, one)) || newestFirst(one, other),
    description: (one: number, other: number) => {
      const [oneKey, otherKey] = [at(sortKeys, one), at(sortKeys, other)]
      return oneKey < otherKey ? -1 : oneKey > otherKey ? 1 : newestFirst(one, other)
    },
  } satisfies Record<Order, (one: number, other: number) => number>
}

function advanceCounts(
  earlier: Counts,
  came: readonly Transaction[],
  gone: ReadonlySet<Transaction>,
): Counts {
  const byCategory = new Map(earlier.byCategory)
  let { deposits } = earlier
  const count = (row: Transaction, difference: number) => {
    if (isUnderDeposits(row)) deposits += difference
    // A deposit without a category is counted only as a deposit.
    if (row.type === 'deposit' && !hasCategory(row.category)) return
    const category = shownCategory(row)
    const rows = (byCategory.get(category) ?? 0) + difference
    if (rows === 0) byCategory.delete(category)
    else byCategory.set(category, rows)
  }
  for (const row of came) count(row, 1)
  for (const row of gone) count(row, -1)
  return { byCategory, deposits }
}

/** Returns whether the row is a deposit or an expense in the category Deposito. */
export function isUnderDeposits({ type, category }: Transaction): boolean {
  return type === 'deposit' || category === depositCategory
}

function offeredCategories(counts: Counts): string[] {
  return [...counts.byCategory.keys()]
    .filter((name) => name !== depositCategory || isDepositCategoryOffered(counts))
    .sort(collator().compare)
}

function isDepositCategoryOffered({ byCategory, deposits }: Counts): boolean {
  return (byCategory.get(depositCategory) ?? 0) < deposits
}

function offersTheSame(one: Counts, other: Counts): boolean {
  return (
    one.byCategory.size === other.byCategory.size &&
    [...one.byCategory.keys()].every((key) => other.byCategory.has(key)) &&
    isDepositCategoryOffered(one) === isDepositCategoryOffered(other)
  )
}

function at<Value>(values: readonly Value[], index: number): Value {
  return values[index] as Value
}
