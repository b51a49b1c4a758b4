/** Which function a call means: the one whose parameters have the names of the arguments. */
import { restErrors } from './errors.ts'
import type { CallRequest } from './parse-call.ts'
import type { Parameter, Schema, SqlFunction } from './schema.ts'

/** A call of one certain function. */
export type CallPlan = {
  readonly called: SqlFunction
  /** The parameters that the call gives; the others have defaults. */
  readonly given: readonly Parameter[]
  readonly json: string
}

/** Plans a call. Throws PGRST127, PGRST202 and PGRST203. */
export function planCall(schema: Schema, { name, keys, json }: CallRequest): CallPlan {
  const [called, ...others] = (schema.functions.get(name) ?? []).filter((known) => takes(known, keys))
  if (called === undefined) throw restErrors.noFunction(name, keys)
  if (others.length > 0) throw restErrors.ambiguousFunction(name)
  if (called.returnsSet) throw restErrors.notImplemented('Functions that return several rows')
  return { called, given: called.parameters.filter((parameter) => keys.includes(parameter.name)), json }
}

function takes({ parameters }: SqlFunction, keys: readonly string[]): boolean {
  return (
    keys.every((key) => parameters.some((parameter) => parameter.name === key)) &&
    parameters.every((parameter) => parameter.hasDefault || keys.includes(parameter.name))
  )
}
