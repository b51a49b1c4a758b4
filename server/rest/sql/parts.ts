/**
 * Parts of every statement: parameters, quoted names, fields, column definitions, and the row that a statement
 * returns.
 */
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import type { SqlValue } from '#database/database.ts'
import type { Field } from '#rest/plan/field.ts'
import type { Column, Relationship, Table } from '#rest/schema/schema.ts'

/** The single row that every statement of the table API returns. */
export type Answer = {
  /** The rows as the text of a JSON array or a CSV table; `null` if the request does not need them. */
  body: string | null
  /** The number of rows in `body`, or of written rows. */
  rows: number
  /** The number of rows without limit and offset, if the request asked for it. */
  total?: number
  /** For an upsert, the number of new rows. */
  inserted?: number
}

/** The values of one statement, in the order of their numbers. */
export class Parameters {
  readonly values: SqlValue[] = []

  /**
   * Adds a value; returns its placeholder, cast to a type of the schema. Without a cast, PostgreSQL infers the type
   * from the other operand, as it does for upstream's literals.
   */
  bind(value: SqlValue, type?: string): string {
    this.values.push(value)
    return type === undefined ? `$${this.values.length}` : `$${this.values.length}::${type}`
  }
}

/** Returns the name as a quoted identifier; any character is allowed. */
export function quote(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`
}

export function tableName({ name }: Table): string {
  return `"public".${quote(name)}`
}

/** Returns PostgreSQL's text form of an array, with every value quoted. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Returns SQL for the text of an answer. It raises FZ431 if the text is too long. */
export function boundedSql(body: string): string {
  return `rest.require_length(${body}, ${answerBytesMax})`
}

/** Returns columns for `json_to_recordset` and similar functions: `"id" uuid, "name" text`. */
export function columnDefinitions(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
}

/** Returns the alias for the embedded rows of an entry of the selection. */
export function embedAlias(alias: string, entry: number): string {
  return `${alias}_${entry}_embed`
}

/** Returns the condition under which a row of the target belongs to a row of this table. */
export function joinSql({ pairs }: Relationship, alias: { here: string; there: string }): string {
  return pairs
    .map(({ here, there }) => `${alias.there}.${quote(there.name)} = ${alias.here}.${quote(here.name)}`)
    .join(' and ')
}

/**
 * Returns a column, or the path into its JSON with the keys as parameters (PostgREST v16, SqlFragment.hs,
 * pgFmtField). On `json`, `->>` returns the stored text, and `->` returns `jsonb`, which can be compared.
 */
export function fieldSql({ column, path, isText }: Field, alias: string, parameters: Parameters): string {
  const value = `${alias}.${quote(column.name)}`
  if (path.length === 0) return value
  const isJson = column.type === 'jsonb' || (column.type === 'json' && isText)
  const json = isJson ? value : `to_jsonb(${value})`
  const steps = path.map((step, index) => {
    const arrow = isText && index === path.length - 1 ? '->>' : '->'
    const operand = 'key' in step ? parameters.bind(step.key, 'text') : parameters.bind(step.index, 'integer')
    return ` ${arrow} ${operand}`
  })
  return `(${json}${steps.join('')})`
}
