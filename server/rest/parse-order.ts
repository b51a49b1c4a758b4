/** `order=date.desc.nullslast,id` (PostgREST v16, QueryParams.hs, pOrder). */
import { restOrderTermsMax } from '@finanzas/contract/limits.ts'
import { type Cursor, expectEnd, readList, readName, skip, startOf } from './cursor.ts'
import { restErrors } from './errors.ts'

/** One column to order by. */
export type OrderTerm = {
  readonly column: string
  readonly direction: 'asc' | 'desc'
  /** `null`: where PostgreSQL puts them, last when ascending and first when descending. */
  readonly nulls: 'first' | 'last' | null
}

/** Reads the terms, the weightiest first. Throws PGRST100 and PGRST127. */
export function parseOrder(text: string): readonly OrderTerm[] {
  const cursor = startOf('order', text)
  const terms = readList(cursor, readTerm)
  expectEnd(cursor)
  if (terms.length > restOrderTermsMax) {
    throw restErrors.unparsable('Too many order terms', `at most ${restOrderTermsMax}`)
  }
  return terms
}

function readTerm(cursor: Cursor): OrderTerm {
  const column = readName(cursor)
  if (cursor.text[cursor.at] === '(')
    throw restErrors.notImplemented('Order by a column of an embedded table')
  if (cursor.text.startsWith('->', cursor.at)) throw restErrors.notImplemented('JSON paths in order')
  const isDescending = skip(cursor, '.desc')
  if (!isDescending) skip(cursor, '.asc')
  const nulls = skip(cursor, '.nullsfirst') ? 'first' : skip(cursor, '.nullslast') ? 'last' : null
  return { column, direction: isDescending ? 'desc' : 'asc', nulls }
}
