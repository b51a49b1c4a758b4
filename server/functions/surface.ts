/**
 * `/functions/v1/<name>` (wire-contract §3): hands the request to the function of that name as the
 * runtime of a hosted project would. Refused on purpose: methods other than POST, names that are not here.
 */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#database/database.ts'
import { readApiKey } from '#http/api-key.ts'
import { readBearer } from '#http/bearer.ts'
import type { Passwords } from '#identity/passwords.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { ApiKeys } from '#tokens/api-keys.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { manageTransactions } from './manage-transactions.ts'
import { manageUsers } from './manage-users.ts'
import { Refusal, refusalOf, refusalResponse } from './refusals.ts'
import { transactionRegister, userRegister } from './registers.ts'

export type FunctionsServices = {
  readonly database: Database
  readonly passwords: Passwords
  readonly tokenKey: TokenKey
  readonly apiKeys: ApiKeys
}

type Handler = (request: Request, caller: Caller) => Promise<Response>

/** Serves the product's two functions. */
export function functionsSurface(services: FunctionsServices): FastifyPluginCallback {
  const { database, passwords } = services
  const handlers = new Map<string, Handler>([
    [
      'manage-transactions',
      (request, caller) => manageTransactions(request, transactionRegister(database, caller)),
    ],
    ['manage-users', (request, caller) => manageUsers(request, userRegister(database, passwords, caller))],
  ])

  return (app, _options, done) => {
    // The function reads its body itself: to the surface it is bytes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))

    app.post('/:name', async (request, reply) => {
      const handler = handlers.get((request.params as { name: string }).name)
      if (handler === undefined) return reply.code(404).type('text/plain').send('Function not found')
      const verdict = await identify(request, services)
      if (!verdict.ok) return reply.code(401).send(verdict.body)
      return send(reply, await answer(request, handler, verdict.caller))
    })
    app.all('/*', (_request, reply) => reply.code(404).type('text/plain').send('Function not found'))
    app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      const { statusCode = 500 } = error
      const status = statusCode >= 400 && statusCode < 500 ? statusCode : 500
      if (status === 500) request.log.error({ err: error }, 'function failed')
      return reply.code(status).send({ error: sentenceOf(status) })
    })
    done()
  }
}

function sentenceOf(status: number): string {
  if (status === 413) return 'El cuerpo es demasiado grande.'
  return status < 500 ? 'La solicitud no se pudo leer.' : 'Error interno.'
}

async function answer(request: FastifyRequest, handler: Handler, caller: Caller): Promise<Response> {
  try {
    // Both functions act in an administrator's name; a key alone is nobody.
    if (caller.role !== 'authenticated') throw new Refusal(401, 'Inicia sesión para continuar.')
    return await handler(webRequest(request), caller)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return refusalResponse(refusal)
  }
}

/** Any valid token passes, as on a hosted project: whether its holder may is the function's question. */
async function identify(
  request: FastifyRequest,
  { tokenKey, apiKeys }: FunctionsServices,
): Promise<{ ok: true; caller: Caller } | { ok: false; body: object }> {
  const apiKey = readApiKey(request, apiKeys)
  if (!apiKey.ok) return { ok: false, body: { message: apiKey.message, hint: apiKey.hint } }
  const bearer = readBearer(request)
  if (bearer === null) return { ok: false, body: { msg: 'Error: Missing authorization header' } }
  const verdict = await readCaller(tokenKey, bearer, apiKey.role)
  return verdict.ok ? verdict : { ok: false, body: { msg: 'Invalid JWT' } }
}

function webRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  const body = request.body instanceof Buffer ? new Uint8Array(request.body) : null
  return new Request(new URL(request.url, 'http://functions.local'), {
    method: request.method,
    headers,
    body,
  })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status)
  for (const [name, value] of response.headers) void reply.header(name, value)
  return reply.send(Buffer.from(await response.arrayBuffer()))
}
