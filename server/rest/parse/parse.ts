/**
 * The first stage: parses an HTTP request without looking at the schema (PostgREST v16, ApiRequest.hs). Has no side
 * effects. Refuses schemas other than `public`. Also refuses to call a function with one unnamed argument, because this
 * argument would get the whole body.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { restErrors } from '#rest/errors.ts'
import { type Format, type Preferences, parseAccept, parsePreferences } from './headers.ts'
import { narrow } from './page.ts'
import { type Payload, parsePayload } from './payload.ts'
import { type Query, parseQuery } from './query.ts'

/** The request headers that can affect the answer. */
export const askedHeaders = [
  'accept',
  'prefer',
  'range',
  'accept-profile',
  'content-profile',
  'content-type',
] as const

/** A request as the server received it. `url` is the unchanged path and query. */
export type RawRequest = {
  readonly method: string
  readonly table: string
  readonly url: string
  readonly headers: Partial<Pick<IncomingHttpHeaders, (typeof askedHeaders)[number]>>
  readonly body: unknown
}

/** The properties that all parsed requests share. */
type Asked = { readonly query: Query; readonly preferences: Preferences; readonly format: Format }

/** A table request that has been parsed but not yet checked against the schema. */
export type ApiRequest = Asked & { readonly table: string } & (
    | { readonly action: 'read' }
    | { readonly action: 'delete' }
    | { readonly action: 'insert' | 'update'; readonly payload: Payload }
  )

/** A call of a SQL function, and the query that reads its result. */
export type CallRequest = Asked & { readonly name: string; readonly arguments: Arguments }

/**
 * The arguments of a call, by name. The arguments are either a JSON array with one object, or a map from each name to a
 * list of strings. If a name is repeated, only its last string is used, but a variadic parameter gets all strings.
 */
export type Arguments =
  | ({ readonly kind: 'json'; readonly names: readonly string[] } & Pick<Payload, 'json' | 'rows'>)
  | { readonly kind: 'texts'; readonly names: readonly string[]; readonly texts: Query['arguments'] }

/** Parses a request to a table. Throws `WireError`. */
export function parseRequest(request: RawRequest): ApiRequest {
  const { method, table, headers, body } = request
  const common = { ...parseAsked(request, { takesArguments: false }), table }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { ...common, action: 'read' }
    case 'DELETE':
      return { ...common, action: 'delete' }
    case 'POST':
      return { ...common, action: 'insert', payload: parsePayload(body, headers['content-type']) }
    case 'PATCH':
      return { ...common, action: 'update', payload: parsePayload(body, headers['content-type']) }
    default:
      throw restErrors.method(method)
  }
}

/**
 * Parses a call of a function. A POST request has the arguments in its body, and a GET request has the arguments in its
 * URL. Throws `WireError`.
 */
export function parseCall(request: Omit<RawRequest, 'table'> & { readonly name: string }): CallRequest {
  const { method, name, headers, body } = request
  if (!isRead(method) && method !== 'POST') throw restErrors.functionMethod(method)
  const asked = parseAsked(request, { takesArguments: isRead(method) })
  const texts = asked.query.arguments
  return {
    ...asked,
    name,
    arguments: isRead(method)
      ? { kind: 'texts', names: [...texts.keys()], texts }
      : parseArguments(body, headers['content-type'], asked.query.columns),
  }
}

function parseAsked(
  { method, url, headers }: Omit<RawRequest, 'table'>,
  options: { readonly takesArguments: boolean },
): Asked {
  const profile = headers[isRead(method) ? 'accept-profile' : 'content-profile']
  if (profile !== undefined && profile !== 'public') throw restErrors.schemaNotExposed(String(profile))
  const query = parseQuery(url, options)
  return {
    query: method === 'GET' ? { ...query, ...narrow(query, headers.range) } : query,
    preferences: parsePreferences(headers['prefer'] as string | undefined),
    format: parseAccept(headers.accept),
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function parseArguments(
  body: unknown,
  contentType: string | undefined,
  columns: Query['columns'],
): Arguments {
  // A function without arguments can be called without a body.
  const payload = parsePayload(body === '' || body === undefined ? '{}' : body, contentType)
  if (payload.isArray) throw restErrors.invalidBody()
  return { kind: 'json', names: columns ?? payload.keys, json: payload.json, rows: payload.rows }
}
