/** Answers a request to a table or a function: parses it, plans it, writes its SQL and runs it. */
import type { FastifyRequest } from 'fastify'
import { type Database, type Scope, type SqlStatement, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import type { Caller } from '#tokens/caller.ts'
import type { CallerServices } from './caller.ts'
import type { Preferences } from '#rest/parse/headers.ts'
import { parseCall } from '#rest/parse/parse.ts'
import type { PreparedRequests } from './prepared-requests.ts'
import { planCall } from '#rest/plan/call.ts'
import { type RestResponse, respond, respondCall } from './respond.ts'
import type { SchemaCache } from '#rest/schema/cache.ts'
import { callStatement } from '#rest/sql/call.ts'

export type RestServices = CallerServices & {
  readonly database: Database
  readonly schemas: SchemaCache
  /** Called after an administrator has called a function that writes. */
  readonly onStaffCall?: () => void
}

export async function answerTable(
  { database, schemas, requests }: RestServices & { readonly requests: PreparedRequests },
  request: FastifyRequest,
  caller: Caller,
): Promise<RestResponse> {
  const { table } = request.params as { table: string }
  const { method, headers, body, url } = request
  const raw = { method, table, url, headers, body }
  const {
    request: asked,
    plan,
    statement,
    isShort,
    location,
  } = await schemas.plan((schema) => requests.prepare(schema, raw, request.server.prefix))
  const scope = plan.action === 'read' ? { ...asCaller(caller, 'read'), isShort } : asCaller(caller, 'write')
  const answer = await ask(database, scope, asked.preferences, statement)
  return respond(asked, plan, answer, location)
}

export async function answerCall(
  { database, schemas, onStaffCall }: RestServices,
  request: FastifyRequest,
  caller: Caller,
  name = (request.params as { name: string }).name,
): Promise<RestResponse> {
  const { method, headers, body, url } = request
  const parsed = parseCall({ method, name, url, headers, body })
  const plan = await schemas.plan((schema) => planCall(schema, parsed))
  const scope = asCaller(caller, plan.called.isVolatile ? 'write' : 'read')
  const answer = await ask(database, scope, parsed.preferences, callStatement(plan))
  if (scope.isStaff === true && scope.access === 'write') onStaffCall?.()
  return respondCall(parsed, plan, answer)
}

/**
 * Runs the statement and returns its single row. If the client prefers a time zone, the statement runs in this time
 * zone.
 */
async function ask<R>(
  database: Database,
  scope: Scope,
  { timezone }: Preferences,
  statement: SqlStatement<R>,
): Promise<R> {
  const zone = timezone === null ? [] : [sql`select set_config('timezone', ${timezone}, true)`]
  const answers = await database.transaction(scope, [...zone, statement])
  const [row] = (answers.at(-1) ?? []) as R[]
  if (row === undefined) throw new Error('The statement answered no row.')
  return row
}
