/**
 * The last stage: turns the database's answer into a status, headers and a body (PostgREST v16, Response.hs;
 * docs/wire.md). Has no side effects.
 */
import { restErrors } from './errors.ts'
import {
  type Format,
  type Preferences,
  type PreferringAction,
  appliedPreferences,
  contentTypeOf,
} from '#rest/parse/headers.ts'
import type { ApiRequest, CallRequest } from '#rest/parse/parse.ts'
import type { Plan } from '#rest/plan/plan.ts'
import type { CallPlan } from '#rest/plan/call.ts'
import type { Answer } from '#rest/sql/parts.ts'

export type RestResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `null` if the response has no body. */
  readonly body: string | null
}

/**
 * Returns the answer to a request. `location` is the path and query after the prefix, in canonical form. Throws
 * PGRST103 if the offset is past the last row, and PGRST116 if the client requested one object but the read did not
 * return exactly one row.
 */
export function respond(request: ApiRequest, plan: Plan, answer: Answer, location: string): RestResponse {
  const { preferences } = request
  // If the table has no key that identifies existing rows, the requested resolution was not applied.
  const isResolved = plan.action !== 'insert' || plan.conflict !== null
  const headers = preferenceHeaders(
    isResolved ? preferences : { ...preferences, resolution: null },
    plan.action,
  )
  if (plan.action === 'read') {
    headers['content-location'] = location
    return respondRows(request.format, { headers, offset: plan.level.offset }, answer)
  }
  const { countsTotal, returned } = preferences
  const total = countsTotal ? answer.rows : undefined
  headers['content-range'] =
    plan.action === 'update' ? contentRange(0, { ...answer, total }) : `*/${total ?? '*'}`
  const newLocation =
    plan.action === 'insert' && returned === 'headers-only' ? rowLocation(request.table, answer) : null
  if (newLocation !== null) headers['location'] = newLocation
  const isRepresentation = returned === 'representation'
  const isNew = plan.action === 'insert' && answer.inserted !== 0
  const status = isNew ? 201 : plan.action === 'insert' || isRepresentation ? 200 : 204
  return isRepresentation
    ? withBody(request.format, answer, { status, headers })
    : { status, headers, body: null }
}

/**
 * Returns the answer to a call. The answer contains a single value, a single row or a set of rows, or it has no body.
 */
export function respondCall(request: CallRequest, plan: CallPlan, answer: Answer): RestResponse {
  const { called, level } = plan
  const headers = preferenceHeaders(request.preferences, 'call')
  if (called.returnsSet) return respondRows(request.format, { headers, offset: level.offset }, answer)
  // A single value counts as one row, even if the client's limit is 0.
  headers['content-range'] = contentRange(0, { rows: 1, total: answer.total })
  if (called.returnsNothing) return { status: 204, headers, body: null }
  if (request.format.kind === 'csv') return withBody(request.format, answer, { status: 200, headers })
  const body = answer.rows === 0 ? 'null' : (answer.body ?? '[null]').slice(1, -1)
  return { status: 200, headers: { ...headers, 'content-type': contentTypeOf(request.format) }, body }
}

type Head = { headers: Record<string, string>; offset: number }

function respondRows(format: Format, { headers, offset }: Head, answer: Answer): RestResponse {
  headers['content-range'] = contentRange(offset, answer)
  return withBody(format, answer, { status: readStatus(offset, answer), headers })
}

function preferenceHeaders(preferences: Preferences, action: PreferringAction): Record<string, string> {
  const applied = appliedPreferences(preferences, action)
  return applied === null ? {} : { 'preference-applied': applied }
}

function withBody(
  format: Format,
  { body, rows }: Answer,
  { status, headers }: { status: number; headers: Record<string, string> },
): RestResponse {
  if (format.kind === 'object' && rows !== 1) {
    throw restErrors.notSingle(`The result contains ${rows} rows`)
  }
  const text = body ?? '[]'
  return {
    status,
    headers: { ...headers, 'content-type': contentTypeOf(format) },
    body: format.kind === 'object' ? text.slice(1, -1) : text,
  }
}

/** Returns `first-last/total`, where rows are counted from zero and an asterisk stands for an unknown number. */
function contentRange(offset: number, { rows, total }: { rows: number; total?: number | undefined }): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`
  return `${range}/${total ?? '*'}`
}

function readStatus(offset: number, { rows, total }: Answer): number {
  if (total === undefined) return 200
  if (offset > total) {
    throw restErrors.rangeNotSatisfiable(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      { 'content-range': `*/${total}` },
    )
  }
  return rows < total ? 206 : 200
}

/** Returns the URL of a single new row. The URL contains the row's primary key. */
function rowLocation(table: string, { body, rows }: Answer): string | null {
  if (rows !== 1 || body === null) return null
  const [row] = JSON.parse(body) as Record<string, unknown>[]
  const key = Object.entries(row ?? {}).map(([name, value]): [string, string] => [
    name,
    value === null ? 'is.null' : `eq.${textOf(value)}`,
  ])
  const query = key.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return key.length === 0 ? null : `/${encode(table)}?${query}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns the path and query with the parameters sorted by name. If a parameter is repeated, its values are joined with
 * commas.
 */
export function canonicalLocation(location: string): string {
  const [path = '', query = ''] = location.split('?', 2)
  const parameters = new URLSearchParams(query)
  if (parameters.size === 0) return path
  parameters.sort()
  const byName = Map.groupBy(parameters, ([name]) => name)
  const joined = [...byName].map(([name, values]) => {
    const list = values.map(([, value]) => encode(value)).join(',')
    return `${encode(name)}=${list}`
  })
  return `${path}?${joined.join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
