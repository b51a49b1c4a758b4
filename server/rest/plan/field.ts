/** Finds the column of a field, and the type to which the field is cast. */
import { restErrors } from '#rest/errors.ts'
import type { FieldName, JsonStep } from '#rest/parse/grammar.ts'
import type { Column, Table } from '#rest/schema/schema.ts'

/** A column that exists in the schema, or a path into the column's JSON. */
export type Field = {
  readonly column: Column
  readonly path: readonly JsonStep[]
  readonly isText: boolean
}

/** Returns the field of a table. Throws 42703 if the column does not exist. */
export function planField(table: Table, { column: name, path, isText }: FieldName): Field {
  return { column: columnOf(table, name), path, isText }
}

/** Returns the table's column with this name. Throws 42703 if the column does not exist. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw restErrors.undefinedColumn(table.name, name)
  return column
}

export function fieldOf(column: Column): Field {
  return { column, path: [], isText: false }
}

/** Checks whether the field is the column with this name and not a path into its JSON. */
export function isColumn({ column, path }: Field, name: string): boolean {
  return path.length === 0 && column.name === name
}

/**
 * Types to which a select list may cast: the client's name → the SQL name. All other types are refused as if they did
 * not exist, because a cast to `regclass`, for example, would reveal which tables exist.
 */
const castTypes: ReadonlyMap<string, string> = new Map([
  ...[
    'text',
    'smallint',
    'integer',
    'bigint',
    'numeric',
    'real',
    'double precision',
    'boolean',
    'uuid',
    'date',
    'time',
    'timestamp',
    'timestamptz',
    'interval',
    'json',
    'jsonb',
  ].map((name): [string, string] => [name, name]),
  ['varchar', 'text'],
  ['int2', 'smallint'],
  ['int', 'integer'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['decimal', 'numeric'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['bool', 'boolean'],
])

/** Returns the SQL name of the type to which to cast. Throws 42704 for types that are not allowed. */
export function planCast(type: string): string {
  const known = castTypes.get(type.toLowerCase())
  if (known === undefined) throw restErrors.undefinedType(type)
  return known
}
