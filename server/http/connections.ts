/**
 * Claims the port, and limits the connections and the pipelined requests on each connection (RFC 9112 §9.3.2). Without
 * the limit, Node starts all pipelined requests at once and buffers their answers. Browsers and proxies do not
 * pipeline.
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Maximum number of connections that wait until Node accepts them. Node's default of 511 is too short when many clients
 * connect at once.
 */
const backlog = 4096

/**
 * In each turn of the event loop, libuv accepts only one connection per listening socket (libuv#3696), and a turn lasts
 * milliseconds when many clients connect at once. With one socket, the proxy's health checks timed out
 * (docs/decisions/0050). Only Linux distributes connections evenly among several sockets that listen on one port.
 */
const socketsCount = process.platform === 'linux' ? 32 : 1

/**
 * Time after which a closing server ends a connection that has not sent anything. Browsers open connections in advance,
 * and Node would wait for these connections to end.
 */
const silentConnectionMs = 500

/**
 * A port that this process holds, so that other programs cannot listen on it. Requests to the port get 503 until the
 * server listens.
 */
export type ClaimedPort = { readonly port: number; readonly release: () => Promise<void> }

/** Claims a port. Throws `EADDRINUSE` and other system errors. */
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
 * Refuses connections above `connectionsMax`. When the server closes, also ends the connections that have sent nothing.
 * Returns the function that starts to listen; call that function when the application is ready.
 */
export function listener(
  app: FastifyInstance,
  connectionsMax: number,
): (address: { host: string; port: number }) => Promise<void> {
  const connections = new Set<Socket>()
  const further: Server[] = []
  app.server.on('connection', (connection: Socket) => {
    if (connections.size >= connectionsMax) {
      // Idle connections are closed to make room for the next client.
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
  // Fastify waits only for the connections of its own listening socket, and not for those of the other sockets.
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

/** Maximum number of unanswered requests on one connection; one more request ends the connection. */
export const unansweredMax = 32

const unanswered = new WeakMap<Socket, number>()

export function unansweredOn(socket: Socket): number {
  return unanswered.get(socket) ?? 0
}

/** Ends a connection that has too many unanswered requests, without processing the request that exceeds the limit. */
export function boundPipelining(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = unansweredOn(socket) + 1
    unanswered.set(socket, count)
    if (count <= unansweredMax) {
      done()
      return
    }
    // Node has received this request in the same chunk as earlier requests and still parses it. The request must not be
    // answered.
    void reply.hijack()
    socket.destroy()
  })
  app.addHook('onResponse', ({ raw: { socket } }, _reply, done) => {
    unanswered.set(socket, unansweredOn(socket) - 1)
    done()
  })
}
