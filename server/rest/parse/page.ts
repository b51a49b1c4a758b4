/**
 * Parses the parameters that choose the page of rows and their order: `order`, `limit`, `offset` and the header `Range`
 * (PostgREST v16, QueryParams.hs, pOrder; RangeQuery.hs).
 */
import { restErrors } from '#rest/errors.ts'
import {
  type Cursor,
  type FieldName,
  expect,
  isAt,
  readField,
  readList,
  readName,
  readPath,
  refuseCharacter,
  refuseWord,
  skip,
  skipBlanks,
  startOf,
} from './grammar.ts'

/** One field by which the rows are ordered. */
export type OrderTerm = {
  /** The embedded table to which the field belongs; `null` for the requested table. */
  readonly embedded: string | null
  readonly field: FieldName
  readonly direction: 'asc' | 'desc'
  /**
   * The position of null values. `null` means PostgreSQL's default: null values come last in ascending order and first
   * in descending order.
   */
  readonly nulls: 'first' | 'last' | null
}

/**
 * Parses an order such as `date.desc.nullslast,id` or `authors(name)`. The first field is the most significant. Throws
 * PGRST100.
 */
export function parseOrder(text: string): readonly OrderTerm[] {
  return readList(startOf('order', text), readTerm)
}

function readTerm(cursor: Cursor): OrderTerm {
  const name = readName(cursor)
  const isEmbedded = skip(cursor, '(')
  const field = isEmbedded ? readField(cursor) : readPath(cursor, name)
  if (isEmbedded) expect(cursor, ')')
  skipBlanks(cursor)
  const direction = skip(cursor, '.desc') ? 'desc' : skip(cursor, '.asc') ? 'asc' : null
  const nulls = skip(cursor, '.nullsfirst') ? 'first' : skip(cursor, '.nullslast') ? 'last' : null
  if (!isAt(cursor, ',')) refuseModifier(cursor, { direction, nulls })
  return { embedded: isEmbedded ? name : null, field, direction: direction ?? 'asc', nulls }
}

type Modifiers = { direction: OrderTerm['direction'] | null; nulls: OrderTerm['nulls'] }

function refuseModifier(cursor: Cursor, { direction, nulls }: Modifiers): never {
  if (nulls !== null) return refuseCharacter(cursor, '"," or end of input')
  if (!skip(cursor, '.')) {
    const more = direction === null ? 'letter, digit, "-", "->>", "->", ' : ''
    return refuseCharacter(cursor, `${more}delimiter (.), "," or end of input`)
  }
  return direction === null
    ? refuseWord(cursor, 'asc', '"asc", "desc", "nullsfirst" or "nullslast"')
    : refuseWord(cursor, 'nullsfirst', '"nullsfirst" or "nullslast"')
}

/**
 * A window of rows: at most `limit` rows, starting at `offset`. `limit` is `null` if the client does not set a limit.
 */
export type Window = { readonly limit: number | null; readonly offset: number }

/**
 * Parses a limit or an offset. Ignores a negative offset, as upstream does. Throws PGRST100, and PGRST103 for a
 * negative limit.
 */
export function parseCount(word: 'limit' | 'offset', text: string): number {
  if (/^-\d+$/.test(text)) {
    if (word === 'offset') return 0
    throw restErrors.rangeNotSatisfiable('Limit should be greater than or equal to zero.')
  }
  if (!/^\d{1,12}$/.test(text))
    throw restErrors.unparsable('A limit or offset is not a number', 'expecting digits')
  return Number(text)
}

const range = /^(\d{1,12})-(\d{0,12})$/

/** Narrows the window to the rows in the header `Range: first-last`. Throws PGRST103. */
export function narrow({ limit, offset }: Window, header: string | undefined): Window {
  const [, first, last] = range.exec(header ?? '') ?? []
  // Ignores a header in any other form, as upstream does.
  if (first === undefined || last === undefined) return { limit, offset }
  const start = Math.max(offset, Number(first))
  const end = Math.min(
    last === '' ? Number.POSITIVE_INFINITY : Number(last) + 1,
    limit === null ? Number.POSITIVE_INFINITY : offset + limit,
  )
  if (last !== '' && Number(last) < Number(first)) {
    throw restErrors.rangeNotSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  return { limit: Number.isFinite(end) ? Math.max(0, end - start) : null, offset: start }
}
