/**
 * Decides which requests become a WebSocket, and answers all other requests. If a request asks to upgrade to another
 * protocol, the server ignores the upgrade (RFC 9110 §7.8) and checks, answers and logs the request as usual.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyPluginCallback } from 'fastify'
import { type ApiKeyRole, readApiKey } from '#http/credentials.ts'
import { hasUnambiguousFraming } from '#http/framing.ts'
import type { Origins } from '#http/cors.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import { upgradeRefusals } from '#realtime/errors.ts'

const socketPath = '/realtime/v1/websocket'

type UpgradeServices = { readonly apiKeys: AcceptedApiKeys; readonly origins: Origins }

type UpgradeRefusal = {
  readonly ok: false
  readonly status: number
  readonly error: string
  readonly hint?: string
}
type UpgradeVerdict = { readonly ok: true; readonly apiKeyRole: ApiKeyRole } | UpgradeRefusal

/** Answers plain HTTP requests to `/realtime/v1`. */
export function realtimeHttp(services: UpgradeServices): FastifyPluginCallback {
  return (app, _options, done) => {
    app.all('/websocket', (request, reply) => {
      const verdict = readUpgrade(request.raw, services)
      const refusal: UpgradeRefusal = verdict.ok ? { ok: false, ...upgradeRefusals.handshake } : verdict
      const { status, error, hint } = refusal
      if (status === 426) void reply.headers({ upgrade: 'websocket', 'sec-websocket-version': '13' })
      return reply.code(status).send({ error, hint })
    })
    app.all('/*', (_request, reply) => reply.code(404).send({ error: upgradeRefusals.address.error }))
    done()
  }
}

/** Returns the role of the API key with which the socket opens, or the reason why the request is refused. */
export function readUpgrade(request: IncomingMessage, { apiKeys, origins }: UpgradeServices): UpgradeVerdict {
  const [path, queryText] = (request.url ?? '').split('?', 2)
  if (path !== socketPath) return { ok: false, ...upgradeRefusals.address }
  if (!isHandshake(request)) return { ok: false, ...upgradeRefusals.handshake }
  const { origin } = request.headers
  // Browsers always send Origin; clients that are not browsers do not send this header.
  if (origin !== undefined && !origins.allows(origin)) return { ok: false, ...upgradeRefusals.origin }
  const query = new URLSearchParams(queryText)
  const apiKey = readApiKey(request, apiKeys, query.get('apikey') ?? undefined)
  if (!apiKey.ok) return { ok: false, status: 401, error: apiKey.message, hint: apiKey.hint }
  if (query.get('vsn') !== '2.0.0') return { ok: false, ...upgradeRefusals.version }
  return { ok: true, apiKeyRole: apiKey.role }
}

/**
 * Checks whether the request is a handshake (RFC 6455 §4.2.1). The request must not have a body, because a body would
 * be read as frames.
 */
function isHandshake(request: IncomingMessage): boolean {
  const { method, httpVersion, headers } = request
  return (
    hasUnambiguousFraming(request) &&
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}
