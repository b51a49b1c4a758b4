/** Finds the called function by its name and the names of the arguments (PostgREST v16, Plan/CallPlan.hs). */
import { restErrors } from '#rest/errors.ts'
import type { Format } from '#rest/parse/headers.ts'
import type { Arguments, CallRequest } from '#rest/parse/parse.ts'
import { refuseLooseNumbers } from './write.ts'
import type { LevelPlan } from './level.ts'
import type { AllowedRows } from './plan.ts'
import { planLevel } from './read.ts'
import { type Parameter, type Schema, type SqlFunction, keylessTable } from '#rest/schema/schema.ts'

/** A planned call. */
export type CallPlan = AllowedRows & {
  readonly called: SqlFunction
  /** The parameters for which the call has an argument. All other parameters have defaults. */
  readonly given: readonly Parameter[]
  readonly arguments: Arguments
  /**
   * The plan for reading the function's rows. If the function returns single values, only the limit and the offset
   * apply.
   */
  readonly level: LevelPlan
  readonly format: Format
  readonly countsTotal: boolean
}

/**
 * Plans a call. Throws the errors PGRST101, 107, 128, 202 and 203, and the error 22P02. Also throws the errors of
 * `planLevel`.
 */
export function planCall(schema: Schema, request: CallRequest): CallPlan {
  const { name, query, preferences, format } = request
  const { names, kind } = request.arguments
  const [called, ...others] = (schema.functions.get(name) ?? []).filter((known) => takes(known, names))
  if (called === undefined) throw restErrors.noFunction(name, names)
  if (others.length > 0) throw restErrors.ambiguousFunction([called, ...others].map(signature))
  if (kind === 'texts' && called.isVolatile) throw restErrors.functionMethod('GET', 'POST')
  if (preferences.maxAffected !== null && !called.returnsSet) throw restErrors.maxAffectedCall()
  // A single value cannot be returned as CSV, because it has no column name for the header line.
  if (called.row === null && format.kind === 'csv') throw restErrors.mediaType('text/csv')
  const row = called.row ?? keylessTable(name, [])
  const items = called.row === null && query.select.every((item) => item.kind === 'all') ? [] : query.select
  const given = called.parameters.filter((parameter) => names.includes(parameter.name))
  if (request.arguments.kind === 'json') refuseLooseNumbers(given, request.arguments.rows)
  return {
    called,
    given,
    arguments: request.arguments,
    level: planLevel(schema, row, { items, level: query }),
    format,
    countsTotal: preferences.countsTotal,
    requiresSingle: format.kind === 'object' && called.returnsSet,
    maxAffected: preferences.maxAffected,
  }
}

function takes({ parameters }: SqlFunction, names: readonly string[]): boolean {
  return (
    names.every((name) => parameters.some((parameter) => parameter.name === name)) &&
    parameters.every((parameter) => parameter.hasDefault || names.includes(parameter.name))
  )
}

function signature({ name, parameters }: SqlFunction): string {
  return `public.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`
}
