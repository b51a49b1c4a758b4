/**
 * Parses the requested rows and their order: `order`, `limit`, `offset` and the header `Range` (PostgREST v16,
 * QueryParams.hs, pOrder; RangeQuery.hs).
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

/** One field of the order. */
export type OrderTerm = {
  /** The embedded table that has the field; `null` for the table itself. */
  readonly embedded: string | null
  readonly field: FieldName
  readonly direction: 'asc' | 'desc'
  /** `null` for PostgreSQL's default: last when ascending, first when descending. */
  readonly nulls: 'first' | 'last' | null
}

/** Reads `date.desc.nullslast,id` or `authors(name)`, the most significant field first. Throws PGRST100. */
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

/** A window of rows: at most `limit` rows from the offset on. `limit` is `null` if the client sets none. */
export type Window = { readonly limit: number | null; readonly offset: number }

/** Reads a limit or an offset. Like upstream, ignores a negative offset. Throws PGRST100 and PGRST103. */
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

/** Narrows the window by the header `Range: first-last`. Throws PGRST103. */
export function narrow({ limit, offset }: Window, header: string | undefined): Window {
  const [, first, last] = range.exec(header ?? '') ?? []
  // Like upstream, ignores a header in any other form.
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
