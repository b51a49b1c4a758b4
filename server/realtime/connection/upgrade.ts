/**
 * Decides which requests become a WebSocket, and answers the others. A request for another protocol is treated as a
 * plain HTTP request (RFC 9110 §7.8), so it is checked, answered and logged as usual.
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

/** Answers the plain requests of `/realtime/v1`. */
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

/** Returns the kind of socket that the request becomes, or the reason for its refusal. */
export function readUpgrade(request: IncomingMessage, { apiKeys, origins }: UpgradeServices): UpgradeVerdict {
  const [path, queryText] = (request.url ?? '').split('?', 2)
  if (path !== socketPath) return { ok: false, ...upgradeRefusals.address }
  if (!isHandshake(request)) return { ok: false, ...upgradeRefusals.handshake }
  const { origin } = request.headers
  // Programs do not send Origin, but browsers always do.
  if (origin !== undefined && !origins.allows(origin)) return { ok: false, ...upgradeRefusals.origin }
  const query = new URLSearchParams(queryText)
  const apiKey = readApiKey(request, apiKeys, query.get('apikey') ?? undefined)
  if (!apiKey.ok) return { ok: false, status: 401, error: apiKey.message, hint: apiKey.hint }
  if (query.get('vsn') !== '2.0.0') return { ok: false, ...upgradeRefusals.version }
  return { ok: true, apiKeyRole: apiKey.role }
}

/** Checks for a handshake of RFC 6455 §4.2.1. A body is not allowed, because it would be read as frames. */
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
