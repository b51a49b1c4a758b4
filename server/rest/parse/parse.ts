/**
 * The first stage: an HTTP request → what it asks for, without a look at the schema (PostgREST v16,
 * ApiRequest.hs). Pure. Refused on purpose: other schemas than `public`, and what the grammar has beyond
 * this server's part of it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { restErrors } from '#rest/errors.ts'
import { type Format, parseAccept } from './accept.ts'
import { type Payload, parsePayload } from './payload.ts'
import { type Preferences, parsePreferences } from './preferences.ts'
import { type Query, parseQuery } from './query.ts'
import { narrow } from './range.ts'

/** A request as it came in; `url` is the exact path and query. */
export type RawRequest = {
  readonly method: string
  readonly table: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** A request to a table, understood but not yet held against the schema. */
export type ApiRequest = {
  readonly table: string
  readonly query: Query
  readonly preferences: Preferences
  readonly format: Format
} & (
  | { readonly action: 'read' }
  | { readonly action: 'delete' }
  | { readonly action: 'insert' | 'update'; readonly payload: Payload }
)

/** Reads a request to a table. Throws `WireError`. */
export function parseRequest(request: RawRequest): ApiRequest {
  const { method, table, url, headers, body } = request
  const isRead = method === 'GET' || method === 'HEAD'
  checkProfile(headers[isRead ? 'accept-profile' : 'content-profile'])
  const query = parseQuery(url, { takesArguments: false })
  const common = {
    table,
    query: isRead ? { ...query, ...narrow(query, headers.range) } : query,
    preferences: parsePreferences(headers['prefer'] as string | undefined),
    format: parseAccept(headers.accept),
  }
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

/** Throws PGRST106 for a schema that is not exposed. */
export function checkProfile(profile: string | string[] | undefined): void {
  if (profile !== undefined && profile !== 'public') throw restErrors.schemaNotExposed(String(profile))
}
