/** The text of an answer, made of its rows by the database (PostgREST v16, Query/Statements.hs). */
import type { Format } from '#rest/parse/accept.ts'
import type { Parameters } from './parts.ts'
import type { Projection } from './select.ts'

/** A JSON array of the rows of that alias, or lines of CSV with the keys as the first. */
export function bodySql(
  { kind, stripsNulls }: Format,
  { json, names, keys }: Pick<Projection, 'json' | 'names' | 'keys'>,
  { row, parameters }: { row: string; parameters: Parameters },
): string {
  if (kind === 'csv') {
    const head = keys.map((key) => parameters.bind(key, 'text')).join(', ')
    const cells = names.map((name) => `${row}.${name}::text`).join(', ')
    return `concat_ws(chr(10), rest.csv_line(array[${head}]::text[]), string_agg(rest.csv_line(array[${cells}]::text[]), chr(10)))`
  }
  const object = stripsNulls ? `json_strip_nulls(${json(row)})` : json(row)
  return `coalesce(json_agg(${object}), '[]')::text`
}
