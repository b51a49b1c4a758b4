/** A field in SQL: its column, and the way into its JSON (PostgREST v16, Query/SqlFragment.hs, pgFmtField). */
import type { Field } from '#rest/plan/field.ts'
import { type Parameters, quote } from './parts.ts'

/** The value of a field of the table of that alias. Keys of the path are parameters. */
export function fieldSql({ column, path, isText }: Field, alias: string, parameters: Parameters): string {
  const value = `${alias}.${quote(column.name)}`
  if (path.length === 0) return value
  const json = column.type === 'jsonb' ? value : `to_jsonb(${value})`
  const steps = path.map((step, index) => {
    const arrow = isText && index === path.length - 1 ? '->>' : '->'
    const operand = 'key' in step ? parameters.bind(step.key, 'text') : parameters.bind(step.index, 'integer')
    return ` ${arrow} ${operand}`
  })
  return `(${json}${steps.join('')})`
}
