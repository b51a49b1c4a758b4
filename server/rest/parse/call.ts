/**
 * A call of a SQL function by the names of its arguments: as a JSON object by POST, as parameters of the
 * URL by GET (PostgREST v16, ApiRequest.hs). Refused on purpose: functions of one unnamed argument, which
 * would take the body whole.
 */
import { restErrors } from '#rest/errors.ts'
import { type Format, parseAccept } from './accept.ts'
import { type RawRequest, checkProfile } from './parse.ts'
import { type Payload, parsePayload } from './payload.ts'
import { type Preferences, parsePreferences } from './preferences.ts'
import { type Query, parseQuery } from './query.ts'
import { narrow } from './range.ts'

/** A call, and what is asked of its result. */
export type CallRequest = {
  readonly name: string
  readonly arguments: Arguments
  readonly query: Query
  readonly preferences: Preferences
  readonly format: Format
}

/** Arguments by name: together as a JSON array of one object, or each as a text. */
export type Arguments =
  | {
      readonly kind: 'json'
      readonly names: readonly string[]
      readonly json: string
      readonly rows: Payload['rows']
    }
  | { readonly kind: 'texts'; readonly names: readonly string[]; readonly texts: ReadonlyMap<string, string> }

/** Reads a call. Throws `WireError`. */
export function parseCall(request: Omit<RawRequest, 'table'> & { readonly name: string }): CallRequest {
  const { method, name, url, headers, body } = request
  const isGet = method === 'GET' || method === 'HEAD'
  if (!isGet && method !== 'POST') throw restErrors.functionMethod(method)
  checkProfile(headers[isGet ? 'accept-profile' : 'content-profile'])
  const query = parseQuery(url, { takesArguments: isGet })
  return {
    name,
    arguments: isGet
      ? { kind: 'texts', names: [...query.arguments.keys()], texts: query.arguments }
      : readBody(body, headers['content-type']),
    query: isGet ? { ...query, ...narrow(query, headers.range) } : query,
    preferences: parsePreferences(headers['prefer'] as string | undefined),
    format: parseAccept(headers.accept),
  }
}

function readBody(body: unknown, contentType: string | undefined): Arguments {
  // A function without arguments may be called without a body.
  const payload: Payload = parsePayload(body === '' || body === undefined ? '{}' : body, contentType)
  if (payload.isArray) throw restErrors.invalidBody()
  const { keys: names, json, rows } = payload
  return { kind: 'json', names, json, rows }
}
