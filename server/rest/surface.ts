/**
 * `/rest/v1`: the part of PostgREST v16 that the product uses. The code does not depend on individual tables. A request
 * passes through the stages parse → plan → SQL → respond. The server calls the database once, between the stages SQL
 * and respond, with the caller's rights. PostgREST features for which no test exists are refused with PostgREST's error
 * codes (docs/decisions/0027).
 */
import { Readable } from 'node:stream'
import { restLargeBodyBytesMax, restLargeBodyFunctions } from '@finanzas/contract/limits.ts'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseBusy } from '#database/database.ts'
import { networkOf } from '#http/network.ts'
import { WireError } from '#http/wire-error.ts'
import type { Caller } from '#tokens/caller.ts'
import { type RestServices, answerCall, answerTable } from './answer.ts'
import { callerOf } from './caller.ts'
import { wireErrorOf } from './database-errors.ts'
import { logDenied } from './denied.ts'
import { restErrors } from './errors.ts'
import { LargeBodies } from './large-body.ts'
import { PreparedRequests } from './prepared-requests.ts'
import type { RestResponse } from './respond.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Functions whose calls go before the user's other requests, because they end sessions. */
const urgentCalls = ['own_sessions', 'end_session'] as const

type Answer = (request: FastifyRequest, caller: Caller) => Promise<RestResponse>

export function restSurface(services: RestServices): FastifyPluginCallback {
  const parts = { ...services, requests: new PreparedRequests() }
  const handle = (answer: Answer) => handlerOf(services, answer)
  const handleTable = handle((request, caller) => answerTable(parts, request, caller))
  const handleCall = handle((request, caller) => answerCall(parts, request, caller))
  const largeBodies = new LargeBodies(services.database)

  return (app, _options, done) => {
    // Bodies are passed on as text, because the database parses the JSON.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body))
    const route = { method: methods, exposeHeadRoute: false }
    app.route({ ...route, url: '/:table', handler: handleTable })
    app.route({
      method: 'POST',
      url: `/rpc/:name(^(?:${restLargeBodyFunctions.join('|')})$)`,
      bodyLimit: restLargeBodyBytesMax,
      preParsing: (request, reply, payload) =>
        readLargeBody(services, largeBodies, { request, reply, payload }),
      handler: handleCall,
    })
    app.route({ ...route, url: '/rpc/:name', handler: handleCall })
    for (const name of urgentCalls) {
      const handler = handle((request, caller) => answerCall(parts, request, caller, name))
      app.route({ ...route, url: `/rpc/${name}`, config: { isUrgent: true }, handler })
    }
    addRefusals(app)
    done()
  }
}

/** Returns the handler that sends an answer, or the error of the database in PostgREST's form. */
function handlerOf(services: RestServices, answer: Answer) {
  const { schemas } = services
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
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
}

type Incoming = { request: FastifyRequest; reply: FastifyReply; payload: Readable }

/**
 * Reads the large body of a signed-in caller's request (security.md IN-03). The body occupies its slot until the
 * request has been answered.
 */
async function readLargeBody(
  services: RestServices,
  largeBodies: LargeBodies,
  { request, reply, payload }: Incoming,
) {
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
    throw wireErrorOf(error, { ...services.schemas, isAnonymous: false })
  }
}

/** Adds the refusals of unknown paths, and of the errors of all routes. */
function addRefusals(app: FastifyInstance): void {
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
