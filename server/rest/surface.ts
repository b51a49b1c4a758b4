/**
 * `/rest/v1`: the part of PostgREST v16 that the product uses. The code does not depend on individual tables. A request
 * passes through the stages parse → plan → SQL → respond. The server calls the database once, between the stages SQL
 * and respond, with the caller's rights. PostgREST features for which no test exists are refused with PostgREST's error
 * codes (docs/decisions/0027).
 */
import { Readable } from 'node:stream'
import { bodyBytesMax, restLargeBodyBytesMax, restLargeBodyFunctions } from '@finanzas/contract/limits.ts'
import { readUuid } from '@finanzas/contract/format/uuid.ts'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Database,
  DatabaseBusy,
  type Scope,
  SqlError,
  type SqlStatement,
  lacksSecondFactor,
  sql,
} from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { logDenial } from '#http/log.ts'
import { networkOf } from '#http/network.ts'
import { WireError } from '#http/wire-error.ts'
import type { Caller } from '#tokens/caller.ts'
import { type CallerServices, callerOf } from './caller.ts'
import { wireErrorOf } from './database-errors.ts'
import { restErrors } from './errors.ts'
import type { Preferences } from '#rest/parse/headers.ts'
import { parseCall } from '#rest/parse/parse.ts'
import { LargeBodies } from './large-body.ts'
import { PreparedRequests } from './prepared-requests.ts'
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

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function restSurface(services: RestServices): FastifyPluginCallback {
  const { database, schemas, onStaffCall } = services
  const requests = new PreparedRequests()

  /**
   * Runs the statement and returns its single row. If the client prefers a time zone, the statement runs in this time
   * zone.
   */
  async function ask<R>(scope: Scope, { timezone }: Preferences, statement: SqlStatement<R>): Promise<R> {
    const zone = timezone === null ? [] : [sql`select set_config('timezone', ${timezone}, true)`]
    const answers = await database.transaction(scope, [...zone, statement])
    const [row] = (answers.at(-1) ?? []) as R[]
    if (row === undefined) throw new Error('The statement answered no row.')
    return row
  }

  async function answerTable(request: FastifyRequest, caller: Caller): Promise<RestResponse> {
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
    const scope =
      plan.action === 'read' ? { ...asCaller(caller, 'read'), isShort } : asCaller(caller, 'write')
    const answer = await ask(scope, asked.preferences, statement)
    return respond(asked, plan, answer, location)
  }

  async function answerCall(
    request: FastifyRequest,
    caller: Caller,
    name = (request.params as { name: string }).name,
  ): Promise<RestResponse> {
    const { method, headers, body, url } = request
    const parsed = parseCall({ method, name, url, headers, body })
    const plan = await schemas.plan((schema) => planCall(schema, parsed))
    const scope = asCaller(caller, plan.called.isVolatile ? 'write' : 'read')
    const answer = await ask(scope, parsed.preferences, callStatement(plan))
    if (scope.isStaff === true && scope.access === 'write') onStaffCall?.()
    return respondCall(parsed, plan, answer)
  }

  const handle =
    (answer: (request: FastifyRequest, caller: Caller) => Promise<RestResponse>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const caller = await callerOf(request, reply, services)
      if (caller === null) return reply
      try {
        return send(reply, await answer(request, caller))
      } catch (error) {
        schemas.invalidate(error)
        logDenied(request, caller, error)
        throw wireErrorOf(error, { ...schemas, isAnonymous: caller.role === 'anon' })
      }
    }

  const largeBodies = new LargeBodies(database)
  /**
   * Reads the large body of a signed-in caller's request (security.md IN-03). The body occupies its slot until the
   * request has been answered.
   */
  async function readLargeBody(request: FastifyRequest, reply: FastifyReply, payload: Readable) {
    const caller = await callerOf(request, reply, services)
    if (caller === null) return undefined
    if (caller.role !== 'authenticated') throw restErrors.signedInOnly()
    if (Number(request.headers['content-length'] ?? 0) > restLargeBodyBytesMax)
      throw restErrors.bodyTooLong(restLargeBodyBytesMax)
    try {
      const { body, release } = await largeBodies.read(payload, caller, networkOf(request.ip))
      if (reply.raw.closed) release()
      reply.raw.once('close', release)
      return Object.assign(Readable.from([body]), { receivedEncodedLength: body.length })
    } catch (error) {
      throw wireErrorOf(error, { ...schemas, isAnonymous: false })
    }
  }

  return (app, _options, done) => {
    // Bodies are passed on as text, because the database parses the JSON.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body))
    app.route({ method: methods, url: '/:table', exposeHeadRoute: false, handler: handle(answerTable) })
    app.route({
      method: 'POST',
      url: `/rpc/:name(^(?:${restLargeBodyFunctions.join('|')})$)`,
      bodyLimit: restLargeBodyBytesMax,
      preParsing: readLargeBody,
      handler: handle((request, caller) => answerCall(request, caller)),
    })
    app.route({
      method: methods,
      url: '/rpc/:name',
      exposeHeadRoute: false,
      handler: handle((request, caller) => answerCall(request, caller)),
    })
    for (const name of urgentCalls) {
      app.route({
        method: methods,
        url: `/rpc/${name}`,
        exposeHeadRoute: false,
        config: { isUrgent: true },
        handler: handle((request, caller) => answerCall(request, caller, name)),
      })
    }
    app.all('/', (_request, reply) => refuse(reply, restErrors.description()))
    app.all('/*', (_request, reply) => refuse(reply, restErrors.path()))
    app.setErrorHandler((error, request, reply) => {
      const refusal = toWireError(error, request)
      // Requests that are refused because of overload are not logged. These refusals are not failures, and logging
      // thousands of stack traces would slow down other requests.
      if (refusal.status >= 500 && !(refusal.cause instanceof DatabaseBusy))
        request.log.error({ err: refusal.cause ?? error }, 'table API failed')
      return refuse(reply, refusal)
    })
    done()
  }
}

/** Functions whose calls go before the user's other requests, because they end sessions. */
const urgentCalls = ['own_sessions', 'end_session'] as const

/** SQLSTATEs of denied actions: the caller lacks a privilege, or a rule about administrators forbids the action. */
const deniedSqlStates: ReadonlySet<string> = new Set(['42501', 'PT403'])
/**
 * Further SQLSTATEs that count as a denied action if the call names a user: the user is unknown, or the action would
 * not change anything.
 */
const deniedAboutPerson: ReadonlySet<string> = new Set(['PT404', 'PT409'])

function logDenied(request: FastifyRequest, caller: Caller, error: unknown): void {
  if (caller.role !== 'authenticated' || !(error instanceof SqlError) || lacksSecondFactor(error)) return
  const { table, name } = request.params as { table?: string; name?: string }
  const target = name === undefined ? null : personIn(request.body)
  if (!deniedSqlStates.has(error.sqlState) && (target === null || !deniedAboutPerson.has(error.sqlState)))
    return
  const action = name === undefined ? `${request.method} ${table}` : `rpc ${name}`
  logDenial(request, { actor: caller.claims.sub, action, target, code: error.sqlState })
}

/** Returns the `user_id` in the body of a call; `null` if the body does not contain one. */
function personIn(body: unknown): string | null {
  if (typeof body !== 'string' || body.length > bodyBytesMax) return null
  try {
    const { user_id: person } = JSON.parse(body) as { user_id?: unknown }
    return readUuid(person)
  } catch {
    // The body is empty or CSV.
    return null
  }
}

function toWireError(error: unknown, { headers, routeOptions }: FastifyRequest): WireError {
  if (error instanceof WireError) return error
  if (error instanceof DatabaseBusy) return restErrors.databaseUnavailable(error)
  const { statusCode } = error as { statusCode?: unknown }
  if (statusCode === 413) return restErrors.bodyTooLong(routeOptions.bodyLimit)
  if (statusCode === 415) return restErrors.contentType(headers['content-type'] ?? '')
  // The body ended early, or its length differs from `Content-Length`.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return restErrors.invalidBody()
  return restErrors.internal(error)
}

function send(reply: FastifyReply, { status, headers, body }: RestResponse): FastifyReply {
  const answer = reply.code(status).headers(headers)
  return body === null ? answer.send() : answer.send(body)
}

/** Sends an error in PostgREST's format. The body always contains these four keys in this order. */
function refuse(reply: FastifyReply, { code, status, message, fields, headers }: WireError): FastifyReply {
  const { details = null, hint = null } = fields
  return reply
    .code(status)
    .headers({ ...headers, 'proxy-status': `PostgREST; error=${code}` })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ code, details, hint, message }))
}
