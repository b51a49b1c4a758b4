/**
 * Connections: the port is taken before anything else is made, connections are bounded, and so are the requests that
 * come on one before earlier ones are answered (RFC 9112 §9.3.2). Node begins those all at once and keeps their answers,
 * without a bound; browsers and proxies do not pipeline.
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Connections that the system has made and Node has not accepted: Node's own 511 are fewer than come in a rush. */
const backlog = 4096

/**
 * libuv accepts one connection for each socket and turn of the event loop (libuv#3696), which lasts milliseconds in a
 * rush. With one socket the proxy's checks timed out and p99 behind it was 3.1 s; with 32 it is 0.8 s. Elsewhere than
 * on Linux sockets of one port get no even share.
 */
const socketsCount = process.platform === 'linux' ? 32 : 1

/** Browsers connect before they send anything; Node would wait for such a connection when it closes. */
const silentConnectionMs = 500

/** A port that no other program can take; every request there is answered 503. */
export type ClaimedPort = { readonly port: number; readonly release: () => Promise<void> }

/** Throws `EADDRINUSE` and other errors of the system. */
export async function claimPort({ host, port }: { host: string; port: number }): Promise<ClaimedPort> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  const server = createHttpServer((_request, response) =>
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

/**
 * Refuses more connections at once than `connectionsMax`; closing waits for no silent one. The answer listens, and is
 * called once the application is ready.
 */
export function listener(
  app: FastifyInstance,
  connectionsMax: number,
): (address: { host: string; port: number }) => Promise<void> {
  const connections = new Set<Socket>()
  const further: Server[] = []
  app.server.on('connection', (connection: Socket) => {
    if (connections.size >= connectionsMax) {
      // Connections that only wait for their next request make room for the next client.
      app.server.closeIdleConnections()
      connection.destroy()
      return
    }
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  app.addHook('preClose', (done) => {
    for (const socket of further) socket.close()
    setTimeout(() => {
      for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    }, silentConnectionMs).unref()
    done()
  })
  // Fastify waits for the connections of its own socket only.
  app.addHook('onClose', async () => {
    await Promise.all(
      [...connections].map((connection) => new Promise((resolve) => connection.once('close', resolve))),
    )
  })
  return async ({ host, port }) => {
    const options = { host, port, backlog, reusePort: socketsCount > 1 }
    await app.listen({ ...options, listenTextResolver: () => 'listening' })
    while (further.length + 1 < socketsCount) {
      const socket = createServer({ noDelay: true }, (connection) =>
        app.server.emit('connection', connection),
      ).listen({ ...options, port: (app.server.address() as AddressInfo).port })
      further.push(socket)
      await once(socket, 'listening')
    }
  }
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
