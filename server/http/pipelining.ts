/**
 * Requests that come on one connection before earlier ones are answered (RFC 9112 §9.3.2). Node begins them all at once
 * and keeps their answers, without a bound; browsers and proxies do not pipeline.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Unanswered requests on one connection; one more ends it. */
export const unansweredMax = 32

const unanswered = new WeakMap<Socket, number>()

export function unansweredOn(socket: Socket): number {
  return unanswered.get(socket) ?? 0
}

/** Ends a connection with too many of them, before anything is done for the request. */
export function boundPipelining(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = unansweredOn(socket) + 1
    unanswered.set(socket, count)
    if (count <= unansweredMax) {
      done()
      return
    }
    // Requests in the same chunk are still parsed.
    void reply.hijack()
    socket.destroy()
  })
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    unanswered.set(socket, unansweredOn(socket) - 1)
    done()
  })
}
