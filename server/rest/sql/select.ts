/** Builds select lists, and the joins that embed rows of other tables (PostgREST v16, Query/QueryBuilder.hs). */
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Format } from '#rest/parse/headers.ts'
import { type LevelPlan, type PlannedCondition, type Selected, areOwnNames } from '#rest/plan/level.ts'
import { conditionsSql, embeddedCondition, orderConditions, orderSql, whereSql } from './clauses.ts'
import { type Parameters, embedAlias, fieldSql, joinSql, quote, tableName } from './parts.ts'

type Embed = Extract<Selected, { kind: 'embed' }>

/** The SQL that selects the entries of a level. */
export type Projection = {
  /** The SQL after `select`. */
  readonly list: string
  /** The joins, which follow `from` and the table. */
  readonly joins: string
  /** True if the joins remove rows, or if a condition uses the joined rows. */
  readonly isFiltered: boolean
  /** Returns SQL for the JSON object of one row. `row` is the alias of the selected rows. */
  readonly json: (row: string) => string
  /** The names of the selected columns as SQL identifiers. */
  readonly names: readonly string[]
  /** The keys of the answer's objects, in the order of `names`. */
  readonly keys: readonly string[]
}

/** Returns the SQL that selects the entries of a level. `alias` is the alias of the level's table. */
export function project(level: LevelPlan, alias: string, parameters: Parameters): Projection {
  const { selection } = level
  const shown = selection.map((entry, index) => ({ entry, index })).filter(({ entry }) => isShown(entry))
  // The columns are named `c0`, `c1`, … if a column is selected twice or if the client chose a key. Text from the
  // client must not become part of the statement's text.
  const isRenamed = !areOwnNames(shown.map(({ entry }) => entry))
  const joins = selection.map((entry, index) =>
    entry.kind === 'embed' ? lateralJoin(entry, { alias, index, parameters }) : '',
  )
  const names = shown.map(({ entry, index }) => (isRenamed ? `c${index}` : quote(entry.key)))
  const list = shown.map(
    ({ entry, index }, position) => `${valueSql(entry, { alias, index, parameters })} as ${names[position]}`,
  )
  return {
    list: list.join(', '),
    joins: joins.join(''),
    isFiltered:
      selection.some((entry) => entry.kind === 'embed' && entry.isInner) || lookAtEmbeds(level.conditions),
    json: (row) =>
      isRenamed
        ? `json_build_object(${shown.map(({ entry }, position) => `${parameters.bind(entry.key, 'text')}, ${row}.${names[position]}`).join(', ')})`
        : `row_to_json(${row}.*)`,
    names,
    keys: shown.map(({ entry }) => entry.key),
  }
}

/**
 * Returns SQL for the body of an answer: a JSON array of the rows with this alias, or CSV whose first line contains the
 * keys.
 */
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

function lookAtEmbeds(conditions: readonly PlannedCondition[]): boolean {
  return conditions.some(
    (condition) =>
      condition.kind === 'embed' || (condition.kind === 'group' && lookAtEmbeds(condition.members)),
  )
}

/**
 * Returns whether the answer contains the entry. If a table is embedded without columns, it is used only in a
 * condition.
 */
function isShown(entry: Selected): boolean {
  return entry.kind === 'field' || entry.level.selection.length > 0
}

type Context = { alias: string; index: number; parameters: Parameters }

function valueSql(entry: Selected, { alias, index, parameters }: Context): string {
  if (entry.kind === 'embed') {
    const json = `${embedAlias(alias, index)}.json`
    return entry.relationship.isToOne ? json : `coalesce(${json}, '[]')`
  }
  const value = fieldSql(entry.field, alias, parameters)
  return entry.cast === null ? value : `${value}::${entry.cast}`
}

/**
 * Returns a join that adds a column `json`, which contains the embedded object or array, or null if no row is embedded.
 */
function lateralJoin({ relationship, isInner, level }: Embed, { alias, index, parameters }: Context): string {
  const inner = `${alias}_${index}`
  const outer = embedAlias(alias, index)
  const { list, joins, json } = project(level, inner, parameters)
  const where = whereSql([
    joinSql(relationship, { here: alias, there: inner }),
    ...conditionsSql(level.conditions, inner, parameters),
    ...orderConditions(level),
    ...(relationship.isToOne ? [] : [embeddedCondition]),
  ])
  const rows =
    `select ${list} from ${tableName(level.table)} as ${inner}${joins}${where}` +
    orderSql(level, inner, parameters) +
    embeddedWindowSql(level, parameters, relationship.isToOne)
  const value = relationship.isToOne ? json('embedded') : `json_agg(${json('embedded')})`
  const embedded = `lateral (select ${value} as json from (${rows}) as embedded) as ${outer}`
  return isInner ? ` join ${embedded} on ${outer}.json is not null` : ` left join ${embedded} on true`
}

function embeddedWindowSql({ limit, offset }: LevelPlan, parameters: Parameters, isToOne: boolean): string {
  const whole = isToOne ? '' : ` limit ${restRowsMax}`
  const limited = limit === null ? whole : ` limit ${parameters.bind(limit, 'bigint')}`
  return offset === 0 ? limited : `${limited} offset ${parameters.bind(offset, 'bigint')}`
}
