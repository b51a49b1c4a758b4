/** What `/realtime/v1/…` answers to requests that do not ask for a WebSocket: where the socket is, and nothing else. */
import type { FastifyPluginCallback } from 'fastify'

/** Answers the plain requests of the prefix. */
export const realtimeHttp: FastifyPluginCallback = (app, _options, done) => {
  app.all('/websocket', (_request, reply) =>
    reply.code(426).header('upgrade', 'websocket').send({ error: 'This address speaks WebSocket' }),
  )
  app.all('/*', (_request, reply) => reply.code(404).send({ error: 'Not found' }))
  done()
}
