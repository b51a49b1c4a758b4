/**
 * Listens for connections, on several sockets of one port. libuv accepts one connection for each listening socket and
 * turn of the event loop (libuv#3696): in a rush a turn takes 4 ms, and of 2,000 people who came together the last one
 * was let in after eight seconds (docs/decisions/0040).
 */
import { once } from 'node:events'
import { type AddressInfo, type ListenOptions, type Server, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Linux hands each new connection to one of the sockets that share a port; other systems do not, or do not spread them. */
const socketsCount = process.platform === 'linux' ? 32 : 1
/**
 * Connections that the system has made and this process has not accepted yet. Whoever finds no room hears nothing, and
 * tries again after a whole second: Node's 511 are fewer than come in a rush. The system's own bound (`somaxconn`, on
 * Linux 4,096) is the lower one elsewhere.
 */
const unacceptedMax = 4096

/**
 * Listens until the answer is called, which ends the listening and waits for nothing. Throws `EADDRINUSE` and its kin:
 * sockets share a port with each other here, and with no other program.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<() => void> {
  const options = { host, backlog: unacceptedMax, reusePort: socketsCount > 1 }
  // Only whoever does not offer to share is told that the port is taken.
  if (port !== 0) await close(await listening(createServer(), { host, port, exclusive: true }))
  await app.listen({ ...options, port, listenTextResolver: () => 'listening' })
  const { port: own } = app.server.address() as AddressInfo
  const further: Server[] = []
  const end = () => {
    for (const socket of further) socket.close()
  }
  try {
    while (further.length + 1 < socketsCount) {
      const socket = createServer({ noDelay: true }, (connection) =>
        app.server.emit('connection', connection),
      )
      further.push(await listening(socket, { ...options, port: own }))
    }
  } catch (error) {
    end()
    throw error
  }
  return end
}

async function listening(server: Server, options: ListenOptions): Promise<Server> {
  server.listen(options)
  await once(server, 'listening')
  return server
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
