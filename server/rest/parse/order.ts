/** `order=date.desc.nullslast,id`, `order=authors(name)` (PostgREST v16, QueryParams.hs, pOrder). */
import { type Cursor, expect, expectEnd, readList, readName, skip, startOf } from './cursor.ts'
import { type FieldName, readField, readPath } from './field.ts'

/** One field to order by. */
export type OrderTerm = {
  /** The embedded table that has the field; `null` for the table itself. */
  readonly embedded: string | null
  readonly field: FieldName
  readonly direction: 'asc' | 'desc'
  /** `null`: where PostgreSQL puts them, last when ascending and first when descending. */
  readonly nulls: 'first' | 'last' | null
}

/** Reads the terms, the weightiest first. Throws PGRST100. */
export function parseOrder(text: string): readonly OrderTerm[] {
  const cursor = startOf('order', text)
  const terms = readList(cursor, readTerm)
  expectEnd(cursor)
  return terms
}

function readTerm(cursor: Cursor): OrderTerm {
  const name = readName(cursor)
  const isEmbedded = skip(cursor, '(')
  const field = isEmbedded ? readField(cursor) : readPath(cursor, name)
  if (isEmbedded) expect(cursor, ')')
  const isDescending = skip(cursor, '.desc')
  if (!isDescending) skip(cursor, '.asc')
  const nulls = skip(cursor, '.nullsfirst') ? 'first' : skip(cursor, '.nullslast') ? 'last' : null
  return { embedded: isEmbedded ? name : null, field, direction: isDescending ? 'desc' : 'asc', nulls }
}
