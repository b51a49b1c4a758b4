/**
 * `/functions/v1/<name>`: passes the request to the function with that name, as the runtime of a hosted project does.
 * Refuses unknown names and methods other than POST.
 */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { setRequestSession } from '#overload/admission.ts'
import { DatabaseBusy } from '#database/database.ts'
import { readApiKey, readBearer } from '#http/credentials.ts'
import { type Denial, logDenial } from '#http/log.ts'
import { networkOf } from '#http/network.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { answerCall, isFunctionName } from '#functions/handlers/call.ts'
import { errorResponse, unavailable } from '#functions/handlers/errors.ts'
import { ClientLeft, PaperWriter } from '#papers/paper-writer.ts'
import type { RuntimeServices } from './local-call.ts'
import { localRuntime } from './local-runtime.ts'

export type FunctionsServices = Omit<RuntimeServices, 'statementsAtWork' | 'papers'> & {
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
}

export function functionsSurface(
  given: FunctionsServices,
  papers: Pick<PaperWriter, 'write' | 'close'> = new PaperWriter(),
): FastifyPluginCallback {
  const services = { ...given, statementsAtWork: new Map<string, string>(), papers }
  return (app, _options, done) => {
    app.addHook('onClose', () => papers.close())
    // Each function parses the request body itself.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))

    app.post('/:name', async (request, reply) => {
      const { name } = request.params as { name: string }
      if (!isFunctionName(name))
        return reply.code(404).type('text/plain; charset=utf-8').send('Function not found')
      const verdict = await identify(request, services)
      if (!verdict.ok) return reply.code(401).send(verdict.body)
      if (verdict.caller.role === 'authenticated') {
        const { sub: userId, session_id: id } = verdict.caller.claims
        setRequestSession({ id, userId })
      }
      const { caller } = verdict
      const logDenied = (denial: Denial) => logDenial(request, denial)
      const logUnsent = (error: unknown) => request.log.error(error, 'a mail could not be sent')
      const network = networkOf(request.ip)
      const call = { caller, network, requestId: request.id, left: leftOf(reply), logDenied, logUnsent }
      const runtime = localRuntime(services, call)
      const { 'idempotency-key': key = null } = request.headers
      const idempotencyKey = key === null ? null : String(key)
      return send(reply, await answerCall(name, { idempotencyKey, body: bodyOf(request) }, runtime))
    })
    app.all('/*', (_request, reply) =>
      reply.code(404).type('text/plain; charset=utf-8').send('Function not found'),
    )
    app.setErrorHandler((error: { statusCode?: number }, request, reply) => {
      // The request was refused because of overload, before the function was called.
      if (error instanceof DatabaseBusy) return send(reply, errorResponse(unavailable(error)))
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

/**
 * Identifies the caller. Any valid token is accepted, as on a hosted project; the function decides which actions the
 * caller may perform.
 */
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

/** Returns a signal for a client that closes its connection before the answer. */
function leftOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  const leave = () => left.abort(new ClientLeft('The client closed the connection.'))
  if (raw.closed) leave()
  else raw.once('close', () => raw.writableEnded || leave())
  return left.signal
}

function bodyOf({ body }: FastifyRequest): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body instanceof Buffer ? body : [])
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status)
  for (const [name, value] of response.headers) void reply.header(name, value)
  return reply.send(Buffer.from(await response.arrayBuffer()))
}
