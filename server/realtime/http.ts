/** What `/realtime/v1/…` answers to requests that do not become a WebSocket: why not, and where the socket is. */
import type { FastifyPluginCallback } from 'fastify'
import { upgradeRefusals } from './errors.ts'
import { type UpgradeRefusal, type UpgradeServices, readUpgrade } from './connection/upgrade.ts'

/** Answers the plain requests of the prefix. */
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
