/**
 * The third stage: a plan → one SQL statement that answers one row. Values are always parameters, names
 * come from the schema alone: the text of the statement depends on the shape of the request and on
 * nothing that a client wrote, so it is also what the database prepares once.
 */
import type { SqlStatement } from '#database/database.ts'
import type { Plan, ReadPlan } from '#rest/plan/plan.ts'
import { Parameters, tableName } from './parts.ts'
import { readSql } from './read.ts'
import { writeStatement } from './write.ts'

/** What every statement of the table API answers. */
export type Answer = {
  /** The rows as the text of a JSON array or of a CSV table; `null` when they were not asked for. */
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

function readStatement({ level, format, countsTotal }: ReadPlan): SqlStatement<Answer> {
  const parameters = new Parameters()
  const from = `${tableName(level.table)} as t`
  const text = readSql(level, { from, rows: 'count(*)', format, countsTotal }, parameters)
  return { text, values: parameters.values }
}
