/**
 * Builds the statement that calls a SQL function (PostgREST v16, Query/QueryBuilder.hs, callPlanToQuery). A
 * materialized CTE calls the function, so that the function runs exactly once even if its rows are both read and
 * counted.
 */
import type { SqlStatement } from '#database/database.ts'
import type { CallPlan } from '#rest/plan/call.ts'
import type { Parameter } from '#rest/schema/schema.ts'
import {
  type Answer,
  Parameters,
  arrayLiteral,
  boundedSql,
  columnDefinitions,
  countSql,
  quote,
  windowSql,
} from './parts.ts'
import { readSql } from './statement.ts'

/** Returns the statement for a call. If the function returns single values, they are read as one column. */
export function callStatement(plan: CallPlan): SqlStatement<Answer> {
  const { called, level, format, countsTotal } = plan
  const parameters = new Parameters()
  const { from, passed } = passSql(plan, parameters)
  const single = called.row === null ? '(result)' : ''
  const call = `select t.* from ${from}"public".${quote(called.name)}(${passed}) as t${single}`
  const rows = countSql(plan, parameters)
  const read =
    called.row === null
      ? valuesSql(plan, rows, parameters)
      : readSql(level, { from: 'called as t', rows, format, countsTotal }, parameters)
  return { text: `with called as materialized (${call}) ${read}`, values: parameters.values }
}

/** Returns the SQL that precedes the function in `from`, and the SQL of its arguments. */
function passSql(
  { given, arguments: passed }: CallPlan,
  parameters: Parameters,
): { from: string; passed: string } {
  if (passed.kind === 'texts') {
    const list = given.map(({ name, type, isVariadic }) => {
      const texts = passed.texts.get(name) ?? []
      const value = isVariadic ? arrayLiteral(texts) : (texts.at(-1) ?? null)
      return passedSql({ name, isVariadic }, parameters.bind(value, type))
    })
    return { from: '', passed: list.join(', ') }
  }
  if (given.length === 0) return { from: '', passed: '' }
  return {
    from: `json_to_recordset(${parameters.bind(passed.json, 'json')}) as body (${columnDefinitions(given)}), `,
    passed: given.map((parameter) => passedSql(parameter, `body.${quote(parameter.name)}`)).join(', '),
  }
}

function passedSql({ name, isVariadic }: Pick<Parameter, 'name' | 'isVariadic'>, value: string): string {
  return `${isVariadic ? 'variadic ' : ''}${quote(name)} => ${value}`
}

/**
 * Returns the SELECT for a function that returns single values. If the function returns `void`, the answer has no body.
 */
function valuesSql({ called, level, countsTotal }: CallPlan, rows: string, parameters: Parameters): string {
  const body = called.returnsNothing ? 'null' : boundedSql(`coalesce(json_agg(page.result), '[]')::text`)
  const window = windowSql(level, parameters)
  const total = countsTotal ? ', (select count(*) from called) as total' : ''
  return `select ${body} as body, ${rows} as rows${total} from (select result from called${window}) as page`
}
