/** What every statement is put together from: parameters, quoted names, column definitions. */
import type { SqlValue } from '#database/database.ts'
import type { Column, Relationship, Table } from '#rest/schema/schema.ts'

/** The values of one statement, in the order of their numbers. */
export class Parameters {
  readonly values: SqlValue[] = []

  /** Adds a value; answers its place in the text, cast to a type of the schema. */
  bind(value: SqlValue, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

/** The name as SQL reads it, whatever it is made of. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The table's full name in SQL. */
export function tableName({ name }: Table): string {
  return `"public".${quote(name)}`
}

/** Columns for `json_to_recordset` and its kin: `"id" uuid, "name" text`. */
export function columnDefinitions(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
}

/** The alias of what the entry of that number embeds in the rows of an alias. */
export function embedAlias(alias: string, entry: number): string {
  return `${alias}_${entry}_embed`
}

/** What makes a row there belong to a row here. */
export function joinSql({ pairs }: Relationship, alias: { here: string; there: string }): string {
  return pairs
    .map(({ here, there }) => `${alias.there}.${quote(there.name)} = ${alias.here}.${quote(here.name)}`)
    .join(' and ')
}
