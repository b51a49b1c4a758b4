/**
 * The last stage: what the database answered → status, headers and body (PostgREST v16, Response.hs;
 * wire-contract §2.2). Pure.
 */
import { restErrors } from './errors.ts'
import type { ApiRequest } from './parse.ts'
import { appliedPreferences } from './parse-preferences.ts'
import type { Plan } from './plan.ts'
import type { Answer } from './sql.ts'

/** An answer on the wire. */
export type RestResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `null`: no content at all. */
  readonly body: string | null
}

const jsonType = 'application/json; charset=utf-8'
const objectType = 'application/vnd.pgrst.object+json; charset=utf-8'

/**
 * The answer to a request. `location` is the path and query below the prefix.
 * Throws PGRST103 for an offset past the end and PGRST116 for a read that is not one row.
 */
export function respond(request: ApiRequest, plan: Plan, answer: Answer, location: string): RestResponse {
  const applied = appliedPreferences(request.preferences, plan.action !== 'read')
  const headers: Record<string, string> = applied === null ? {} : { 'preference-applied': applied }
  if (plan.action === 'read') {
    headers['content-location'] = location
    headers['content-range'] = contentRange(plan.offset, answer)
    return withBody(request, answer, { status: readStatus(plan.offset, answer), headers })
  }
  const total = request.preferences.countsTotal ? answer.rows : undefined
  const isUpdate = plan.action === 'update'
  headers['content-range'] = isUpdate
    ? contentRange(0, { ...answer, total })
    : `*/${total === undefined ? '*' : total}`
  if (plan.action === 'insert') {
    const status = answer.inserted === 0 ? 200 : 201
    const isLocated = request.preferences.returned === 'headers-only'
    const newLocation = isLocated ? rowLocation(request.table, answer) : null
    if (newLocation !== null) headers['location'] = newLocation
    return isRepresentation(request)
      ? withBody(request, answer, { status, headers })
      : { status, headers, body: null }
  }
  return isRepresentation(request)
    ? withBody(request, answer, { status: 200, headers })
    : { status: 204, headers, body: null }
}

function isRepresentation({ preferences }: ApiRequest): boolean {
  return preferences.returned === 'representation'
}

function withBody(
  { wantsObject }: ApiRequest,
  { body, rows }: Answer,
  { status, headers }: { status: number; headers: Record<string, string> },
): RestResponse {
  const array = body ?? '[]'
  if (!wantsObject) return { status, headers: { ...headers, 'content-type': jsonType }, body: array }
  if (rows !== 1) throw restErrors.notSingle(`The result contains ${rows} rows`)
  return { status, headers: { ...headers, 'content-type': objectType }, body: array.slice(1, -1) }
}

/** `first-last/total`, counted from zero; asterisks for what there is not or was not asked for. */
function contentRange(offset: number, { rows, total }: { rows: number; total?: number | undefined }): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`
  return `${range}/${total ?? '*'}`
}

function readStatus(offset: number, { rows, total }: Answer): number {
  if (total === undefined) return 200
  if (offset > total) {
    throw restErrors.rangeNotSatisfiable(
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
    )
  }
  return rows < total ? 206 : 200
}

/** Where the one new row can be read, by its primary key. */
function rowLocation(table: string, { body, rows }: Answer): string | null {
  if (rows !== 1 || body === null) return null
  const [row] = JSON.parse(body) as Record<string, unknown>[]
  const key = Object.entries(row ?? {}).map(
    ([name, value]) => [name, `eq.${String(value)}`] satisfies [string, string],
  )
  return key.length === 0 ? null : `/${encodeURIComponent(table)}?${new URLSearchParams(key).toString()}`
}
