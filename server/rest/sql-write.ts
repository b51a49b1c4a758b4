/**
 * Writes. The body is one parameter, taken apart by the database into the columns that the plan names;
 * what was written is read again in the same statement (PostgREST v16, Query/QueryBuilder.hs, mutate).
 */
import { restWriteRowsMax } from '@finanzas/contract/limits.ts'
import type { SqlStatement } from '#database/database.ts'
import type { WritePlan } from './plan.ts'
import type { Conflict } from './plan-write.ts'
import type { Column } from './schema.ts'
import type { Answer } from './sql.ts'
import { orderSql, whereSql } from './sql-conditions.ts'
import { Parameters, columnDefinitions, quote, tableName } from './sql-parts.ts'
import { project } from './sql-select.ts'

/** The statement of a write. */
export function writeStatement(plan: WritePlan): SqlStatement<Answer> {
  const { returning } = plan
  const rows = rowsSql(plan)
  if (plan.action === 'update' && plan.columns.length === 0) {
    return { text: `select '[]' as body, ${rows} as rows where false`, values: [] }
  }
  const parameters = new Parameters()
  const written = `with written as (${changeSql(plan, parameters)} returning ${returnedSql(plan)})`
  const inserted = mayMeetRows(plan) ? ', (select count(*) from written where row_is_new) as inserted' : ''
  const answer = (body: string, from: string) =>
    `${written} select ${body} as body, ${rows} as rows${inserted} from ${from}`
  if (returning === null) return { text: answer('null', 'written'), values: parameters.values }

  const { list, joins, json } = project(returning.selection, 'written', parameters)
  const page = `select ${list} from written${joins}${orderSql(returning.order, 'written')}`
  const body = `coalesce(json_agg(${json('page')}), '[]')::text`
  return { text: answer(body, `(${page}) as page`), values: parameters.values }
}

/**
 * How many rows were written; raises where that is too many. The rows' after triggers run when the statement
 * is through, so what is refused here has not run them.
 */
function rowsSql({ action, requiresSingle }: WritePlan): string {
  if (requiresSingle) return 'rest.require_single(count(*))'
  // How many rows an insert writes is in its body, where it has been looked at.
  return action === 'insert' ? 'count(*)' : `rest.require_at_most(count(*), ${restWriteRowsMax})`
}

function changeSql(plan: WritePlan, parameters: Parameters): string {
  const table = `${tableName(plan.table)} as t`
  switch (plan.action) {
    case 'insert': {
      const { columns, conflict } = plan
      const names = columns.map(({ name }) => quote(name)).join(', ')
      const json = parameters.bind(plan.json, 'json')
      // Without columns every row is made of defaults.
      return columns.length === 0
        ? `insert into ${table} select from json_array_elements(${json})`
        : `insert into ${table} (${names}) select ${names}` +
            ` from json_to_recordset(${json}) as body (${columnDefinitions(columns)})${conflictSql(columns, conflict)}`
    }
    case 'update': {
      const { columns } = plan
      const settings = columns.map(({ name }) => `${quote(name)} = body.${quote(name)}`).join(', ')
      return (
        `update ${table} set ${settings} from json_to_recordset(${parameters.bind(plan.json, 'json')})` +
        ` as body (${columnDefinitions(columns)})${whereSql(plan.conditions, 't', parameters)}`
      )
    }
    case 'delete':
      return `delete from ${table}${whereSql(plan.conditions, 't', parameters)}`
    default:
      return plan satisfies never
  }
}

function conflictSql(columns: readonly Column[], conflict: Conflict | null): string {
  if (conflict === null) return ''
  const key = conflict.key.map(({ name }) => quote(name)).join(', ')
  if (conflict.resolution === 'ignore') return ` on conflict (${key}) do nothing`
  const settings = columns.map(({ name }) => `${quote(name)} = excluded.${quote(name)}`).join(', ')
  return ` on conflict (${key}) do update set ${settings}`
}

function mayMeetRows(plan: WritePlan): boolean {
  return plan.action === 'insert' && plan.conflict?.resolution === 'merge'
}

/** What the rest of the statement needs of each written row, and no more: reading takes a privilege of its own. */
function returnedSql(plan: WritePlan): string {
  const columns = new Set<string>()
  for (const entry of plan.returning?.selection ?? []) {
    if (entry.kind === 'column') columns.add(entry.column.name)
    else for (const { here } of entry.relationship.pairs) columns.add(here.name)
  }
  for (const { column } of plan.returning?.order ?? []) columns.add(column.name)
  const list = [...columns].map((name) => `t.${quote(name)}`)
  // A row that was there before has been locked by this database transaction, a new one by none.
  if (mayMeetRows(plan)) list.push('t.xmax = 0 as row_is_new')
  return list.length === 0 ? '1' : list.join(', ')
}
