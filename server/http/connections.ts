/**
 * Connections: the port is taken before anything else is made, connections are bounded, and so are the requests that
 * come on one before earlier ones are answered (RFC 9112 §9.3.2). Node begins those all at once and keeps their answers,
 * without a bound; browsers and proxies do not pipeline.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Connections that the system has made and Node has not accepted: Node's own 511 are fewer than come in a rush. */
export const backlog = 4096

/** Browsers connect before they send anything; Node would wait for such a connection when it closes. */
const silentConnectionMs = 500

/** A port that no other program can take; every request there is answered 503. */
export type ClaimedPort = { readonly port: number; readonly release: () => Promise<void> }

/** Throws `EADDRINUSE` and other errors of the system. */
export async function claimPort({ host, port }: { host: string; port: number }): Promise<ClaimedPort> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  const server = createServer((_request, response) =>
    response.writeHead(503, { ...headers, 'retry-after': '1' }).end(JSON.stringify({ status: 'starting' })),
  )
  server.listen({ host, port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async release() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Refuses more connections at once than `connectionsMax`, and waits for no silent one when the application closes. */
export function boundConnections(app: FastifyInstance, connectionsMax: number): void {
  const connections = new Set<Socket>()
  app.server.maxConnections = connectionsMax
  // Connections that only wait for their next request make room for the next client.
  app.server.on('drop', () => app.server.closeIdleConnections())
  app.server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    }, silentConnectionMs).unref()
    done()
  })
}

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
