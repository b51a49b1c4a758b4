/** A column, or a way into its JSON: `name`, `data->key`, `data->0->>key` (PostgREST v16, QueryParams.hs, pField). */
import { jsonDepthMax } from '@finanzas/contract/limits.ts'
import { type Cursor, match, readName, refuse, skip } from './cursor.ts'
import { restErrors } from '#rest/errors.ts'

/** One step into a JSON value: to a member, or to an element (counted from the end when negative). */
export type JsonStep = { readonly key: string } | { readonly index: number }

/** What a select list, a filter or an order speaks about. */
export type FieldName = {
  readonly column: string
  /** Empty for the column itself. */
  readonly path: readonly JsonStep[]
  /** Whether the last arrow has two heads (`->>`): the value is text then, JSON otherwise. */
  readonly isText: boolean
}

/** Reads a field. Throws PGRST100. */
export function readField(cursor: Cursor): FieldName {
  return readPath(cursor, readName(cursor))
}

/** Reads the way into a column whose name has been read. Throws PGRST100. */
export function readPath(cursor: Cursor, column: string): FieldName {
  const path: JsonStep[] = []
  let isText = false
  while (!isText && skip(cursor, '->')) {
    isText = skip(cursor, '>')
    path.push(readStep(cursor))
  }
  if (cursor.text.startsWith('->', cursor.at)) refuse(cursor, 'nothing after "->>"')
  if (path.length > jsonDepthMax) {
    throw restErrors.unparsable('The JSON path is too long', `at most ${jsonDepthMax} steps`)
  }
  return { column, path, isText }
}

// Digits are an index only where the step ends with them: `->1a` is the member "1a".
const index = /-?\d{1,9}(?=->|::|[.,)]|$)/y

function readStep(cursor: Cursor): JsonStep {
  const digits = match(cursor, index)?.[0]
  return digits === undefined ? { key: readName(cursor) } : { index: Number(digits) }
}
