/**
 * The third stage: turns a plan into one SQL statement that returns one row. Values are always passed as parameters,
 * and names come only from the schema. The statement's text therefore contains no text from the client, and the
 * database prepares only one statement for all requests that differ only in their values.
 */
import type { SqlStatement } from '#database/database.ts'
import type { Format } from '#rest/parse/headers.ts'
import type { LevelPlan } from '#rest/plan/level.ts'
import type { Plan, ReadPlan } from '#rest/plan/plan.ts'
import { conditionsSql, orderConditions, orderSql, whereSql } from './clauses.ts'
import { type Answer, Parameters, boundedSql, tableName, windowSql } from './parts.ts'
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

/** The parts of a read that `LevelPlan` does not contain. */
type ReadParts = {
  /** The table, or another source of the rows, with the alias `t`. */
  readonly from: string
  /** SQL for the number of rows in the page. */
  readonly rows: string
  readonly format: Format
  readonly countsTotal: boolean
}

/**
 * Returns the statement for a read. The statement returns one page of rows and their number. At the client's request,
 * the statement also returns the total number of rows without limit and offset.
 */
export function readSql(level: LevelPlan, parts: ReadParts, parameters: Parameters): string {
  const { from, rows, format, countsTotal } = parts
  const projection = project(level, 't', parameters)
  const conditions = conditionsSql(level.conditions, 't', parameters)
  const where = whereSql(conditions)
  const wherePage = whereSql([...conditions, ...orderConditions(level)])
  const order = orderSql(level, 't', parameters)
  const window = windowSql(level, parameters)
  const page = `select ${projection.list} from ${from}${projection.joins}${wherePage}${order}${window}`
  // Joins that do not remove rows are omitted, because they would only slow down the count.
  const counted = projection.isFiltered ? `${from}${projection.joins}` : from
  const total = countsTotal ? `, (select count(*) from ${counted}${where}) as total` : ''
  const body = boundedSql(bodySql(format, projection, { row: 'page', parameters }))
  return `select ${body} as body, ${rows} as rows${total} from (${page}) as page`
}
