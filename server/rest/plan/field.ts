/** Fields of columns that exist, and the types that they may be cast to. */
import { restErrors } from '#rest/errors.ts'
import type { FieldName, JsonStep } from '#rest/parse/grammar.ts'
import type { Column, Table } from '#rest/schema/schema.ts'

/** A column that exists, or a way into its JSON. */
export type Field = {
  readonly column: Column
  readonly path: readonly JsonStep[]
  readonly isText: boolean
}

/** The field of a table. Throws 42703. */
export function planField(table: Table, { column: name, path, isText }: FieldName): Field {
  return { column: columnOf(table, name), path, isText }
}

/** The table's column of that name. Throws 42703. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw restErrors.undefinedColumn(table.name, name)
  return column
}

export function fieldOf(column: Column): Field {
  return { column, path: [], isText: false }
}

/** Whether the field is the column of that name itself, and not a way into it. */
export function isColumn({ column, path }: Field, name: string): boolean {
  return path.length === 0 && column.name === name
}

/**
 * The types that a select list may cast to: the client's name → SQL's name. Others do not exist for a client: a cast to
 * `regclass`, for one, would tell which tables there are.
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

/** The type of a cast, as SQL writes it. Throws 42704. */
export function planCast(type: string): string {
  const known = castTypes.get(type.toLowerCase())
  if (known === undefined) throw restErrors.undefinedType(type)
  return known
}
