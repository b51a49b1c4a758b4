/** Plans which columns a body writes, and what happens to rows that already exist. */
import { restErrors } from '#rest/errors.ts'
import type { ApiRequest } from '#rest/parse/parse.ts'
import type { Payload } from '#rest/parse/payload.ts'
import type { Preferences } from '#rest/parse/headers.ts'
import { columnOf } from './field.ts'
import type { Column, NamedTable, Table } from '#rest/schema/schema.ts'

/** The columns that a body writes. */
export type WrittenColumns = {
  readonly columns: readonly Column[]
  /**
   * The columns' defaults as SQL, by column name. Empty if all rows contain all columns, or if omitted values become
   * null.
   */
  readonly defaults: ReadonlyMap<string, string>
}

/** How an insert treats a row whose key already exists. */
export type Conflict = { readonly key: readonly Column[]; readonly resolution: 'merge' | 'ignore' }

type WriteRequest = Extract<ApiRequest, { payload: Payload }>

/**
 * Plans the columns that the body writes: the columns in `columns=` or, without that parameter, all keys of the body.
 * Throws PGRST102 if the objects do not all have the same keys, PGRST204 for a key that is not a column, and 22P02.
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
 * Plans the key that identifies existing rows: the columns in `on_conflict`, or else the primary key. Returns `null` if
 * neither key exists or if the client does not request a resolution. Throws 42703.
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
 * Refuses numbers that are sent as text but not written as JSON numbers (security.md MO-02). PostgreSQL reads strings
 * like " 1", "01", "0x1F" and "1_000" as numbers, and some of these strings only since version 16. Strings without
 * digits, such as "NaN", are passed to the database. Throws 22P02 for the first string that is refused.
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
