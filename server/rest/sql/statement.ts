/**
 * The third stage: a plan → one SQL statement that answers one row. Values are always parameters, names
 * come from the schema alone: the text of the statement depends on the shape of the request and on
 * nothing that a client wrote, so it is also what the database prepares once.
 */
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { SqlStatement } from '#database/database.ts'
import type { Format } from '#rest/parse/headers.ts'
import type { LevelPlan } from '#rest/plan/level.ts'
import type { Plan, ReadPlan } from '#rest/plan/plan.ts'
import { conditionsSql, orderConditions, orderSql, whereSql } from './clauses.ts'
import { type Answer, Parameters, boundedSql, tableName } from './parts.ts'
import { bodySql, project } from './select.ts'
import { writeStatement } from './write.ts'

export function statementOf(plan: Plan): SqlStatement<Answer> {
  return plan.action === 'read' ? readStatement(plan) : writeStatement(plan)
}

function readStatement({ level, format, countsTotal }: ReadPlan): SqlStatement<Answer> {
  const parameters = new Parameters()
  const from = `${tableName(level.table)} as t`
  const text = readSql(level, { from, rows: 'count(*)', format, countsTotal }, parameters)
  return { text, values: parameters.values }
}

/** The parts of a read besides its level. */
type ReadParts = {
  /** Where the rows come from, under the alias `t`. */
  readonly from: string
  /** How their number is answered, made of the number itself. */
  readonly rows: string
  readonly format: Format
  readonly countsTotal: boolean
}

/** A read: one page of rows, their number, and the number there would be without the bounds of the page. */
export function readSql(level: LevelPlan, parts: ReadParts, parameters: Parameters): string {
  const { from, rows, format, countsTotal } = parts
  const projection = project(level, 't', parameters)
  const conditions = conditionsSql(level.conditions, 't', parameters)
  const where = whereSql(conditions)
  const wherePage = whereSql([...conditions, ...orderConditions(level)])
  const order = orderSql(level, 't', parameters)
  const limit = ` limit ${parameters.bind(level.limit ?? restRowsMax, 'bigint')}`
  const offset = level.offset === 0 ? '' : ` offset ${parameters.bind(level.offset, 'bigint')}`
  const page = `select ${projection.list} from ${from}${projection.joins}${wherePage}${order}${limit}${offset}`
  // Joins that leave no row out cost a count and change nothing.
  const counted = projection.isFiltered ? `${from}${projection.joins}` : from
  const total = countsTotal ? `, (select count(*) from ${counted}${where}) as total` : ''
  const body = boundedSql(bodySql(format, projection, { row: 'page', parameters }))
  return `select ${body} as body, ${rows} as rows${total} from (${page}) as page`
}
