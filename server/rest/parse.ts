/**
 * The first stage: an HTTP request → what it asks for, without a look at the schema (PostgREST v16,
 * ApiRequest.hs). Pure. Refused on purpose: parameters given twice, other schemas than `public`, and
 * what the grammar has beyond this server's part of it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { restFiltersMax, urlBytesMax } from '@finanzas/contract/limits.ts'
import { expectEnd, readList, readName, skip, startOf } from './cursor.ts'
import { restErrors } from './errors.ts'
import { type Condition, countFilters, parseFilter, parseGroup } from './parse-conditions.ts'
import { type OrderTerm, parseOrder } from './parse-order.ts'
import { type Payload, parsePayload } from './parse-payload.ts'
import { type Preferences, parsePreferences } from './parse-preferences.ts'
import { type SelectItem, parseSelect } from './parse-select.ts'

/** A request as it came in; `url` is the exact path and query. */
export type RawRequest = {
  readonly method: string
  readonly table: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** What the query string asks for. */
export type Query = {
  readonly select: readonly SelectItem[]
  /** All of them must hold. */
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly limit: number | null
  readonly offset: number
  /** The columns of a body that count; `null` for all of its keys. */
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /** Embedded tables for which the query has a filter, an order or a limit. */
  readonly embeddedNames: readonly string[]
}

/** A request to a table, understood but not yet held against the schema. */
export type ApiRequest = {
  readonly table: string
  readonly query: Query
  readonly preferences: Preferences
  /** Exactly one row was asked for, as an object. */
  readonly wantsObject: boolean
} & (
  | { readonly action: 'read' }
  | { readonly action: 'delete' }
  | { readonly action: 'insert' | 'update'; readonly payload: Payload }
)

/** Reads a request to a table. Throws `WireError`. */
export function parseRequest(request: RawRequest): ApiRequest {
  const { method, table, url, headers, body } = request
  checkProfile(headers[method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile'])
  const common = {
    table,
    query: parseQuery(url),
    preferences: parsePreferences(headers['prefer'] as string | undefined),
    wantsObject: wantsObject(headers.accept),
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

const objectType = 'application/vnd.pgrst.object+json'
const arrayTypes = new Set(['*/*', 'application/*', 'application/json', 'application/vnd.pgrst.array+json'])

/** Whether `Accept` asks for one object; throws PGRST107 when it asks for nothing that we have. */
function wantsObject(accept: string | undefined): boolean {
  if (accept === undefined) return false
  for (const range of accept.split(',')) {
    const mediaType = range.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (mediaType === objectType) return true
    if (arrayTypes.has(mediaType)) return false
  }
  throw restErrors.mediaType(accept)
}

const wholeTable: readonly SelectItem[] = [{ kind: 'all' }]
const reserved = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'])
const logic = /^(not\.)?(and|or)$/

function parseQuery(url: string): Query {
  if (url.length > urlBytesMax) throw restErrors.addressTooLong()
  const start = url.indexOf('?')
  const given = new Map<string, string>()
  const conditions: Condition[] = []
  const embeddedNames: string[] = []
  for (const [key, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    const group = logic.exec(key)
    if (group !== null) {
      conditions.push(parseGroup(group[2] === 'and' ? 'and' : 'or', group[1] !== undefined, value))
    } else if (reserved.has(key)) {
      if (given.has(key))
        throw restErrors.unparsable(`The parameter ${key} is given twice`, 'expecting it once')
      given.set(key, value)
    } else {
      const [embedded, column] = readKey(key)
      if (embedded === null) conditions.push(parseFilter(column, value))
      else embeddedNames.push(embedded)
    }
  }
  if (countFilters(conditions) > restFiltersMax) {
    throw restErrors.unparsable('Too many filters', `at most ${restFiltersMax}`)
  }
  const read = <T, F>(key: string, parse: (text: string) => T, absent: F): T | F => {
    const text = given.get(key)
    return text === undefined ? absent : parse(text)
  }
  return {
    select: read('select', parseSelect, wholeTable),
    conditions,
    order: read('order', parseOrder, []),
    limit: read('limit', parseCount, null),
    offset: read('offset', parseCount, 0),
    columns: read('columns', parseNames, null),
    onConflict: read('on_conflict', parseNames, null),
    embeddedNames,
  }
}

/** `column`, or `embedded.column`: what is before the dot and what is after it. */
function readKey(key: string): [embedded: string | null, column: string] {
  const cursor = startOf('tree path', key)
  const first = readName(cursor)
  if (cursor.text.startsWith('->', cursor.at)) throw restErrors.notImplemented('JSON paths in filters')
  if (!skip(cursor, '.')) {
    expectEnd(cursor)
    return [null, first]
  }
  return [first, cursor.text.slice(cursor.at)]
}

function parseCount(text: string): number {
  if (/^-\d+$/.test(text)) {
    throw restErrors.rangeNotSatisfiable('Limit should be greater than or equal to zero.')
  }
  if (!/^\d{1,12}$/.test(text))
    throw restErrors.unparsable('A limit or offset is not a number', 'expecting digits')
  return Number(text)
}

function parseNames(text: string): string[] {
  const cursor = startOf('columns parameter', text)
  const names = readList(cursor, readName)
  expectEnd(cursor)
  return names
}
