/** The parts of every statement: parameters, quoted names, fields, column definitions, and the row of its answer. */
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import type { SqlValue } from '#database/database.ts'
import type { Field } from '#rest/plan/field.ts'
import type { Column, Relationship, Table } from '#rest/schema/schema.ts'

/** The one row that every statement of the table API answers. */
export type Answer = {
  /** The rows as the text of a JSON array or of a CSV table; `null` when the request does not want them. */
  body: string | null
  /** The number of rows in `body`, or written. */
  rows: number
  /** The number of rows without limit and offset, when the request wants it. */
  total?: number
  /** How many of the written rows are new, for an upsert. */
  inserted?: number
}

/** The values of one statement, in the order of their numbers. */
export class Parameters {
  readonly values: SqlValue[] = []

  /**
   * Adds a value; returns its number in the text, cast to a type of the schema. Without one PostgreSQL takes it for what
   * stands on the other side, as upstream's literals.
   */
  bind(value: SqlValue, type?: string): string {
    this.values.push(value)
    return type === undefined ? `$${this.values.length}` : `$${this.values.length}::${type}`
  }
}

/** The name as a quoted identifier, which may hold any character. */
export function quote(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '""')}"` : `"${name}"`
}

export function tableName({ name }: Table): string {
  return `"public".${quote(name)}`
}

/** PostgreSQL's text form of an array, every value quoted. */
export function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** The text of an answer, or FZ431 where it is too long. */
export function boundedSql(body: string): string {
  return `rest.require_length(${body}, ${answerBytesMax})`
}

/** Columns for `json_to_recordset` and its kin: `"id" uuid, "name" text`. */
export function columnDefinitions(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
}

/** The alias of what the entry of that number embeds in the rows of an alias. */
export function embedAlias(alias: string, entry: number): string {
  return `${alias}_${entry}_embed`
}

/** The condition under which a row there belongs to a row here. */
export function joinSql({ pairs }: Relationship, alias: { here: string; there: string }): string {
  return pairs
    .map(({ here, there }) => `${alias.there}.${quote(there.name)} = ${alias.here}.${quote(here.name)}`)
    .join(' and ')
}

/**
 * A column, or the path into its JSON, whose keys are parameters (PostgREST v16, SqlFragment.hs, pgFmtField). A text out of
 * `json` is as it is stored; a value out of it is `jsonb`, which can be compared.
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
