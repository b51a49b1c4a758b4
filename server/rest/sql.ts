/**
 * The third stage: a plan → one SQL statement that answers one row. Values are always parameters, names
 * come from the schema alone: the text of the statement depends on the shape of the request and on
 * nothing that a client wrote, so it is also what the database prepares once.
 */
import type { SqlStatement } from '#database/database.ts'
import type { Plan, ReadPlan } from './plan.ts'
import { Parameters, tableName } from './sql-parts.ts'
import { orderSql, whereSql } from './sql-conditions.ts'
import { project } from './sql-select.ts'
import { writeStatement } from './sql-write.ts'

/** What every statement of the table API answers. */
export type Answer = {
  /** The rows as the text of a JSON array; `null` when they were not asked for. */
  body: string | null
  /** How many rows that are. */
  rows: number
  /** How many there would be without limit and offset, when that was asked for. */
  total?: number
  /** How many of the written rows are new, for an insert that may meet existing ones. */
  inserted?: number
}

/** The statement of a plan. */
export function statementOf(plan: Plan): SqlStatement<Answer> {
  return plan.action === 'read' ? readStatement(plan) : writeStatement(plan)
}

function readStatement(plan: ReadPlan): SqlStatement<Answer> {
  const { table, selection, conditions, order, limit, offset, countsTotal } = plan
  const parameters = new Parameters()
  const source = `${tableName(table)} as t`
  const { list, joins, json } = project(selection, 't', parameters)
  const where = whereSql(conditions, 't', parameters)
  const limits = ` limit ${parameters.bind(limit, 'bigint')}`
  const skipped = offset === 0 ? '' : ` offset ${parameters.bind(offset, 'bigint')}`
  const page = `select ${list} from ${source}${joins}${where}${orderSql(order, 't')}${limits}${skipped}`
  const total = countsTotal ? `, (select count(*) from ${source}${where}) as total` : ''
  return {
    text: `select coalesce(json_agg(${json('page')}), '[]')::text as body, count(*) as rows${total} from (${page}) as page`,
    values: parameters.values,
  }
}
