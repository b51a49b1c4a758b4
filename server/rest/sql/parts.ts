/**
 * Elements that all statements use: parameters, quoted names, fields, column definitions, and the row that a statement
 * returns.
 */
import { answerBytesMax, restRowsMax } from '@finanzas/contract/limits.ts'
import type { SqlValue } from '#database/database.ts'
import type { Window } from '#rest/parse/page.ts'
import type { Field } from '#rest/plan/field.ts'
import type { AllowedRows } from '#rest/plan/plan.ts'
import type { Column, Relationship, Table } from '#rest/schema/schema.ts'

/** The single row that every statement of the table API returns. */
export type Answer = {
  /** The rows as JSON or CSV text; `null` if the request does not need them. */
  body: string | null
  /** The number of rows in `body`. For a write, the number of written rows. */
  rows: number
  /** The number of rows without the limit and the offset of the request, if the request counts them. */
  total?: number
  /** For an upsert, the number of rows that it inserted. */
  inserted?: number
}

/** The parameter values of one statement, in the order of their numbers. */
export class Parameters {
  readonly values: SqlValue[] = []

  /**
   * Adds a value and returns its placeholder. With `type`, which must come from the schema, the placeholder is cast to
   * this type. Without `type`, PostgreSQL infers the type from the other operand, as it does for upstream's literals.
   */
  bind(value: SqlValue, type?: string): string {
    this.values.push(value)
    return type === undefined ? `$${this.values.length}` : `$${this.values.length}::${type}`
  }
}

/** Returns the name as a quoted SQL identifier. The name may contain any characters. */
export function quote(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`
}

export function tableName({ name }: Table): string {
  return `"public".${quote(name)}`
}

/** Returns an array as PostgreSQL's text form, in which every value is quoted. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Returns SQL that passes an answer's text through unchanged, or raises FZ431 if the text is too long. */
export function boundedSql(body: string): string {
  return `rest.require_length(${body}, ${answerBytesMax})`
}

/** Returns ` limit …`, and ` offset …` unless the page begins with the first row. */
export function windowSql({ limit, offset }: Window, parameters: Parameters): string {
  const limited = ` limit ${parameters.bind(limit ?? restRowsMax, 'bigint')}`
  return offset === 0 ? limited : `${limited} offset ${parameters.bind(offset, 'bigint')}`
}

/** Returns SQL that counts the rows, and raises an error if their number is not allowed. */
export function countSql({ requiresSingle, maxAffected }: AllowedRows, parameters: Parameters): string {
  if (requiresSingle) return 'rest.require_single(count(*))'
  if (maxAffected === null) return 'count(*)'
  return `rest.require_max_affected(count(*), ${parameters.bind(maxAffected, 'bigint')})`
}

/** Returns a column definition list for `json_to_recordset` and similar functions, such as `"id" uuid, "name" text`. */
export function columnDefinitions(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
}

/** Returns the alias for the rows that an entry of the selection embeds. */
export function embedAlias(alias: string, entry: number): string {
  return `${alias}_${entry}_embed`
}

/** Returns the join condition between this table and the target. */
export function joinSql({ pairs }: Relationship, alias: { here: string; there: string }): string {
  return pairs
    .map(({ here, there }) => `${alias.there}.${quote(there.name)} = ${alias.here}.${quote(here.name)}`)
    .join(' and ')
}

/**
 * Returns SQL for a column, or for a path into its JSON (PostgREST v16, SqlFragment.hs, pgFmtField). The keys of the
 * path are bound as parameters. For a `json` column, `->>` returns the stored text. `->` returns `jsonb`, because
 * `json` cannot be compared.
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
