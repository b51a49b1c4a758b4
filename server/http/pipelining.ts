/**
 * Requests that come on one connection before earlier ones are answered (RFC 9112 §9.3.2). Node begins them all at once
 * and keeps their answers, without a bound; browsers and proxies send the next request after the answer.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** One more ends the connection. */
export const unansweredMax = 32

const unanswered = new WeakMap<Socket, number>()

/** How many requests of the connection wait for their answer to be sent. */
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
    // Requests that came in the same piece are still read.
    void reply.hijack()
    socket.destroy()
  })
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    unanswered.set(socket, unansweredOn(socket) - 1)
    done()
  })
}
