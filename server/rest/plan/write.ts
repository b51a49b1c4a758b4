/** Plans the columns that a body writes, and the behaviour for existing rows. */
import { restErrors } from '#rest/errors.ts'
import type { ApiRequest } from '#rest/parse/parse.ts'
import type { Payload } from '#rest/parse/payload.ts'
import type { Preferences } from '#rest/parse/headers.ts'
import { columnOf } from './field.ts'
import type { Column, NamedTable, Table } from '#rest/schema/schema.ts'

/** The columns that a body writes. */
export type WrittenColumns = {
  readonly columns: readonly Column[]
  /** The defaults as SQL, by the column's name. Empty if every row has all columns, or if omitted values are null. */
  readonly defaults: ReadonlyMap<string, string>
}

/** Resolution of an insert for a row whose key already exists. */
export type Conflict = { readonly key: readonly Column[]; readonly resolution: 'merge' | 'ignore' }

type WriteRequest = Extract<ApiRequest, { payload: Payload }>

/**
 * Plans the columns that the body writes: the columns in `columns=`, or all keys of the body. Throws PGRST102 if the
 * objects have different keys, PGRST204 for a key that is not a column, and 22P02.
 */
export function planColumns(
  table: NamedTable,
  { payload, query, preferences }: WriteRequest,
): WrittenColumns {
  const named = query.columns
  if (named === null && !payload.isUniform) throw restErrors.invalidBody('All object keys must match')
  const columns = [...new Set(named ?? payload.keys)].map((name) => {
    const column = table.columns.get(name)
    if (column === undefined) throw restErrors.noColumn(table.name, name)
    return column
  })
  refuseLooseNumbers(columns, payload.rows)
  const isComplete = payload.isUniform && (named ?? []).every((name) => payload.keys.includes(name))
  return {
    columns,
    defaults: new Map(
      preferences.missing !== 'default' || isComplete
        ? []
        : columns.flatMap(({ name, defaultSql }): [string, string][] =>
            defaultSql === null ? [] : [[name, defaultSql]],
          ),
    ),
  }
}

/**
 * Plans the key that identifies existing rows: `on_conflict`, or the primary key; `null` without either, or without a
 * requested resolution. Throws 42703.
 */
export function planConflict(
  table: Table,
  resolution: Preferences['resolution'],
  onConflict: readonly string[] | null,
): Conflict | null {
  if (resolution === null) return null
  const key = onConflict?.map((name) => columnOf(table, name)) ?? table.primaryKey
  if (key.length === 0) return null
  return { key, resolution: resolution === 'merge-duplicates' ? 'merge' : 'ignore' }
}

const numberTypes: ReadonlySet<string> = new Set([
  'numeric',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/**
 * Refuses numbers as text that are not in JSON's form (security.md MO-02). PostgreSQL reads texts like " 1", "01",
 * "0x1F" and "1_000" as numbers, some only from version 16 on. Texts without digits, such as "NaN", are left to the
 * database. Throws 22P02 for the first refused text.
 */
export function refuseLooseNumbers(columns: readonly Column[], rows: Payload['rows']): void {
  for (const { name, type } of columns) {
    if (!numberTypes.has(type)) continue
    for (const row of rows) {
      const value = row[name]
      if (typeof value === 'string' && /\d/.test(value) && !jsonNumber.test(value))
        throw restErrors.notNumber(type, value)
    }
  }
}
