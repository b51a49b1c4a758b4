/** The statement that calls a function: arguments come from one JSON parameter, by name. */
import type { SqlStatement } from '#database/database.ts'
import type { CallPlan } from './plan-call.ts'
import { Parameters, columnDefinitions, quote } from './sql-parts.ts'

/** The result as JSON text; `null` for a function that returns nothing. */
export type CallAnswer = { result: string | null }

/** The statement of a call; the function stands in `from`, where it runs exactly once. */
export function callStatement({ called, given, json }: CallPlan): SqlStatement<CallAnswer> {
  const parameters = new Parameters()
  const result = called.returnsNothing ? 'null' : 'to_json(result)::text'
  const passed = given.map(({ name }) => `${quote(name)} => body.${quote(name)}`).join(', ')
  const body =
    given.length === 0
      ? ''
      : `json_to_recordset(${parameters.bind(json, 'json')}) as body (${columnDefinitions(given)}), `
  return {
    text: `select ${result} as result from ${body}"public".${quote(called.name)}(${passed}) as result`,
    values: parameters.values,
  }
}
