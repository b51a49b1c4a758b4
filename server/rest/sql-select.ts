/** Select lists and the joins that embed rows of other tables (PostgREST v16, Query/QueryBuilder.hs). */
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Selected, Selection } from './plan-select.ts'
import { type Parameters, quote, tableName } from './sql-parts.ts'

type Embed = Extract<Selected, { kind: 'embed' }>

/** A select list in its three parts. */
export type Projection = {
  /** What stands after `select`. */
  readonly list: string
  /** What stands after `from` and the table. */
  readonly joins: string
  /** The JSON object of one row of this list, which is known by that alias. */
  readonly json: (row: string) => string
}

/** How to select the entries from the table of that alias. */
export function project(selection: Selection, alias: string, parameters: Parameters): Projection {
  // Keys that are no names of the schema are values, so they cannot be the names of columns.
  const isRenamed = selection.some((entry) => entry.key !== schemaName(entry))
  const joins: string[] = []
  const list = selection.map((entry, index) => {
    const embedAlias = `${alias}_${index}`
    if (entry.kind === 'embed')
      joins.push(lateralJoin(entry, { outer: alias, inner: embedAlias }, parameters))
    const value = entry.kind === 'embed' ? `${embedAlias}_embed.json` : `${alias}.${quote(entry.column.name)}`
    return `${value} as ${isRenamed ? `c${index}` : quote(schemaName(entry))}`
  })
  const keys = isRenamed ? selection.map(({ key }) => parameters.bind(key, 'text')) : []
  return {
    list: list.join(', '),
    joins: joins.join(''),
    json: (row) =>
      isRenamed
        ? `json_build_object(${keys.map((key, index) => `${key}, ${row}.c${index}`).join(', ')})`
        : `row_to_json(${row}.*)`,
  }
}

function schemaName(entry: Selected): string {
  return entry.kind === 'column' ? entry.column.name : entry.table.name
}

function lateralJoin(
  { table, relationship, selection }: Embed,
  alias: { outer: string; inner: string },
  parameters: Parameters,
): string {
  const { outer, inner } = alias
  const { list, joins, json } = project(selection, inner, parameters)
  const on = relationship.pairs
    .map(({ here, there }) => `${inner}.${quote(there.name)} = ${outer}.${quote(here.name)}`)
    .join(' and ')
  const rows = `select ${list} from ${tableName(table)} as ${inner}${joins} where ${on}`
  const embedded = relationship.isToOne
    ? `select ${json('embedded')} as json from (${rows}) as embedded`
    : `select coalesce(json_agg(${json('embedded')}), '[]') as json from (${rows} limit ${restRowsMax}) as embedded`
  return ` left join lateral (${embedded}) as ${inner}_embed on true`
}
