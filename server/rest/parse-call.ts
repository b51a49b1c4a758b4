/** A call of a SQL function: POST with its named arguments as a JSON object. */
import type { IncomingHttpHeaders } from 'node:http'
import { restErrors } from './errors.ts'
import { checkProfile } from './parse.ts'
import { type Payload, parsePayload } from './parse-payload.ts'

/** A call: the function's name, the names of its arguments, and all of them as a JSON array of one object. */
export type CallRequest = { readonly name: string; readonly keys: readonly string[]; readonly json: string }

/** Reads a call. Throws PGRST101, PGRST102, PGRST106 and PGRST127. */
export function parseCall(request: {
  readonly method: string
  readonly name: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}): CallRequest {
  const { method, name, url, headers, body } = request
  if (method !== 'POST') throw restErrors.functionMethod(method)
  if (url.includes('?')) throw restErrors.notImplemented('Queries over the result of a function')
  checkProfile(headers['content-profile'])
  const payload = readArguments(body, headers['content-type'])
  return { name, keys: payload.keys, json: payload.json }
}

function readArguments(body: unknown, contentType: string | undefined): Payload {
  // A function without arguments may be called without a body.
  const payload = parsePayload(body === '' || body === undefined ? '{}' : body, contentType)
  if (payload.isArray) throw restErrors.invalidBody()
  return payload
}
