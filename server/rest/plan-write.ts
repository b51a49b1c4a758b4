/** Which columns a body writes, and what happens to rows that are there already. */
import { restErrors } from './errors.ts'
import type { Payload } from './parse-payload.ts'
import type { Preferences } from './parse-preferences.ts'
import { columnOf } from './plan-conditions.ts'
import type { Column, Table } from './schema.ts'

/** What an insert does about a row with the same key. */
export type Conflict = { readonly key: readonly Column[]; readonly resolution: 'merge' | 'ignore' }

/**
 * The columns that the body writes: those of `columns=`, or all of its keys.
 * Throws PGRST102 when its objects differ and PGRST204 for a key that is no column.
 */
export function planColumns(
  table: Table,
  payload: Payload,
  named: readonly string[] | null,
  missing: Preferences['missing'],
): readonly Column[] {
  if (named === null && !payload.isUniform) throw restErrors.invalidBody('All object keys must match')
  const isComplete = payload.isUniform && (named ?? []).every((name) => payload.keys.includes(name))
  if (missing === 'default' && !isComplete) {
    throw restErrors.notImplemented('Defaults for what some objects of the body leave out')
  }
  return [...new Set(named ?? payload.keys)].map((name) => {
    const column = table.columns.get(name)
    if (column === undefined) throw restErrors.noColumn(table.name, name)
    return column
  })
}

/**
 * The key that decides whether a row is there already: `on_conflict`, or the primary key; `null` when there
 * is none or nobody asked. Throws 42703.
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
