/**
 * Builds the statement for a write. The body is passed as one parameter, and the database expands it into the plan's
 * columns. The same statement also reads the written rows (PostgREST v16, Query/QueryBuilder.hs, mutate).
 */
import { restWriteRowsMax } from '@finanzas/contract/limits.ts'
import type { SqlStatement } from '#database/database.ts'
import type { PlannedCondition } from '#rest/plan/level.ts'
import type { WritePlan } from '#rest/plan/plan.ts'
import type { Conflict } from '#rest/plan/write.ts'
import type { Column } from '#rest/schema/schema.ts'
import { conditionsSql, orderSql, whereSql } from './clauses.ts'
import {
  type Answer,
  Parameters,
  boundedSql,
  columnDefinitions,
  countSql,
  quote,
  tableName,
} from './parts.ts'
import { bodySql, project } from './select.ts'

export function writeStatement(plan: WritePlan): SqlStatement<Answer> {
  const { returning, format } = plan
  const parameters = new Parameters()
  if (plan.action === 'update' && plan.columns.length === 0) {
    return {
      text: `select '[]' as body, ${countSql(plan, parameters)} as rows where false`,
      values: parameters.values,
    }
  }
  const written = `with written as (${changeSql(plan, parameters)} returning ${returnedSql(plan)})`
  const isMerge = plan.action === 'insert' && plan.conflict?.resolution === 'merge'
  const inserted = isMerge ? `, (select count(*) from written) - rest.merged_count() as inserted` : ''
  // `after` triggers run at the end of the statement, so they do not run for a write that `countSql` refuses.
  const rows = countSql(plan, parameters)
  const answer = (body: string, count: string, from: string) =>
    `${written} select ${body} as body, ${count} as rows${inserted} from ${from}`
  if (returning === null) return { text: answer('null', rows, 'written'), values: parameters.values }

  const projection = project(returning, 'written', parameters)
  const page = `select ${projection.list} from written${projection.joins}${orderSql(returning, 'written', parameters)}`
  const body = boundedSql(bodySql(format, projection, { row: 'page', parameters }))
  // All written rows are counted, because embedding may omit some of them from the answer.
  const count = projection.isFiltered ? `(select ${rows} from written)` : rows
  return { text: answer(body, count, `(${page}) as page`), values: parameters.values }
}

function changeSql(plan: WritePlan, parameters: Parameters): string {
  const table = `${tableName(plan.table)} as t`
  switch (plan.action) {
    case 'insert': {
      const { columns, conflict } = plan
      // If the body writes no columns, all columns of the new rows get their defaults.
      if (columns.length === 0)
        return `insert into ${table} select from json_array_elements(${parameters.bind(plan.json, 'json')})`
      const { from, values } = bodySource(plan, parameters)
      const names = columns.map(({ name }) => quote(name)).join(', ')
      return `insert into ${table} (${names}) select ${values.join(', ')} from ${from}${conflictSql(columns, conflict)}`
    }
    case 'update': {
      const { from, values } = bodySource(plan, parameters)
      const settings = plan.columns.map(({ name }, index) => `${quote(name)} = ${values[index]}`).join(', ')
      return `update ${table} set ${settings} from ${from}${whereSql(boundedConditions(plan.conditions, parameters))}`
    }
    case 'delete':
      return `delete from ${table}${whereSql(boundedConditions(plan.conditions, parameters))}`
    default:
      return plan satisfies never
  }
}

/**
 * Returns the SQL conditions, plus a limit on the number of written rows. An insert does not need this limit, because
 * the number of rows in its body has already been checked.
 */
function boundedConditions(conditions: readonly PlannedCondition[], parameters: Parameters): string[] {
  return [...conditionsSql(conditions, 't', parameters), `rest.limit_written_rows(${restWriteRowsMax})`]
}

type Body = Extract<WritePlan, { json: string }>

/**
 * Returns SQL that reads the rows in the body; for an update, only the first row. At the client's request, omitted keys
 * get the column's default.
 */
function bodySource(
  { json, columns, defaults, action }: Body,
  parameters: Parameters,
): { from: string; values: readonly string[] } {
  const body = parameters.bind(json, 'json')
  const definitions = columnDefinitions(columns)
  const rows = (source: string, alias: string) =>
    action === 'update' ? `(select * from ${source} limit 1) as ${alias}` : source
  if (defaults.size === 0) {
    const values = columns.map(({ name }) => `body.${quote(name)}`)
    return { from: rows(`json_to_recordset(${body}) as body (${definitions})`, 'body'), values }
  }
  const values = columns.map(({ name }) => {
    const value = `body.${quote(name)}`
    const fallback = defaults.get(name)
    // `->` returns a JSON null if the key's value is null, and an SQL null if the key is missing.
    return fallback === undefined
      ? value
      : `case when element.object -> ${parameters.bind(name, 'text')} is null then ${fallback} else ${value} end`
  })
  return {
    from: `${rows(`json_array_elements(${body}) as element (object)`, 'element')}, json_to_record(element.object) as body (${definitions})`,
    values,
  }
}

function conflictSql(columns: readonly Column[], conflict: Conflict | null): string {
  if (conflict === null) return ''
  const key = conflict.key.map(({ name }) => quote(name)).join(', ')
  if (conflict.resolution === 'ignore') return ` on conflict (${key}) do nothing`
  const settings = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(', ')
  return ` on conflict (${key}) do update set ${settings} where rest.count_merged()`
}

/**
 * Returns the list for `returning`: only those columns that the rest of the statement reads, because returning other
 * columns would require more privileges.
 */
function returnedSql(plan: WritePlan): string {
  const columns = new Set<string>()
  for (const entry of plan.returning?.selection ?? []) {
    if (entry.kind === 'field') columns.add(entry.field.column.name)
    else for (const { here } of entry.relationship.pairs) columns.add(here.name)
  }
  for (const { field, entry } of plan.returning?.order ?? []) {
    if (entry === null) columns.add(field.column.name)
  }
  const list = [...columns].map((name) => `t.${quote(name)}`)
  return list.length === 0 ? '1' : list.join(', ')
}
