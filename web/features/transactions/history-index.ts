import { depositCategory } from '@finanzas/contract/categories.ts'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { bogotaDay } from '#format/dates.ts'
import { fold } from '#format/fold.ts'
import { shownCategory } from '#ledger/category-badge.tsx'
import type { History } from '#ledger/history.ts'

export type Order = 'date' | 'amount' | 'description'

/** What a filter shows besides single categories: everything, or every deposit. */
export type CategoryFilter = { kind: 'all' } | { kind: 'deposits' } | { kind: 'category'; name: string }

export type Selection = { search: string; filter: CategoryFilter; order: Order }

/**
 * The history prepared for searching and sorting: what a keystroke needs was computed once, so that it
 * only walks arrays. Positions count from the newest row.
 */
export type HistoryIndex = {
  rows: readonly Transaction[]
  folded: readonly string[]
  days: readonly number[]
  signedMinor: readonly number[]
  /** Each distinct category that is not the deposits' own, in Spanish order. */
  categories: readonly string[]
  /** Positions in that order; computed when first asked for. */
  positions: (order: Order) => readonly number[]
}

type PageIndex = Pick<HistoryIndex, 'folded' | 'days' | 'signedMinor'>

// A page that did not change is the same array, so its part of the index is kept with it.
const pageIndexes = new WeakMap<History['pages'][number], PageIndex>()
const collator = new Intl.Collator('es')

export function indexHistory({ pages }: Pick<History, 'pages'>): HistoryIndex {
  const rows = pages.flat()
  const parts = pages.map(indexPage)
  const folded = parts.flatMap((part) => part.folded)
  const signedMinor = parts.flatMap((part) => part.signedMinor)
  const categories = new Set(rows.map((row) => shownCategory(row.category)))
  categories.delete(depositCategory)
  const orders = new Map<Order, readonly number[]>()

  const sorted = (order: Order): readonly number[] => {
    const positions = rows.map((_, position) => position)
    if (order === 'date') return positions
    if (order === 'amount') {
      const sizes = signedMinor.map(Math.abs)
      return positions.sort((one, other) => at(sizes, other) - at(sizes, one) || one - other)
    }
    const keys = rows.map((row) => spanishKey(row.description))
    return positions.sort((one, other) => compare(at(keys, one), at(keys, other)) || one - other)
  }

  return {
    rows,
    folded,
    days: parts.flatMap((part) => part.days),
    signedMinor,
    categories: [...categories].sort(collator.compare),
    positions: (order) => {
      const positions = orders.get(order) ?? sorted(order)
      orders.set(order, positions)
      return positions
    },
  }
}

/** The positions of the rows that a selection shows, in its order. */
export function selectRows(index: HistoryIndex, { search, filter, order }: Selection): readonly number[] {
  const wanted = fold(search.trim())
  const positions = index.positions(order)
  if (wanted === '' && filter.kind === 'all') return positions
  return positions.filter((position) => {
    const row = index.rows[position]
    return row !== undefined && matches(row, filter) && at(index.folded, position).includes(wanted)
  })
}

function matches(row: Transaction, filter: CategoryFilter): boolean {
  const category = shownCategory(row.category)
  if (filter.kind === 'deposits') return row.type === 'deposit' || category === depositCategory
  return filter.kind === 'all' || category === filter.name
}

function indexPage(page: History['pages'][number]): PageIndex {
  const known = pageIndexes.get(page)
  if (known !== undefined) return known
  const index = {
    folded: page.map((row) => fold(row.description)),
    days: page.map((row) => bogotaDay(row.date)),
    signedMinor: page.map((row) => {
      const amountMinor: number = minorFromDecimal(row.amount) ?? 0
      return row.type === 'deposit' ? amountMinor : -amountMinor
    }),
  }
  pageIndexes.set(page, index)
  return index
}

/** A text whose plain order is the Spanish one: accents and capitals aside, ñ after n. A collator takes ten times as long. */
function spanishKey(text: string): string {
  return fold(text.normalize('NFD').replace(/n\u0303/gi, 'n~'))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** An element that is known to be there. */
function at<Value>(values: readonly Value[], position: number): Value {
  return values[position] as Value
}
