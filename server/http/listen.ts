/**
 * Listens for connections, on several sockets of one port. libuv accepts one connection for each listening socket and
 * turn of the event loop (libuv#3696): in a rush a turn takes 4 ms, and of 2,000 people who came together the last one
 * was let in after eight seconds (docs/decisions/0040).
 */
import { once } from 'node:events'
import {
  type AddressInfo,
  type ListenOptions,
  type Server,
  type Socket,
  connect,
  createServer,
} from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
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
 * Browsers connect before they have anything to say, and may never have. Node takes such a connection for one that is
 * being answered; whoever has said nothing by this time after the end began is not waited for.
 */
const silenceMaxMs = 500

/** Every address of the machine, at which nobody can be called. */
const anyHosts: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Where to listen, and how many connections there may be at a time: one more is closed at once. */
export type Door = { readonly host: string; readonly port: number; readonly connectionsMax: number }

/**
 * Listens until the answer is called, which resolves when the last connection of a further socket is closed: the
 * application closes them, but waits for its own socket's only. Throws `EADDRINUSE` and its kin: sockets share a port
 * with each other here, and with no other program.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, connectionsMax }: Door,
): Promise<() => Promise<void>> {
  const options = { host, backlog: unacceptedMax, reusePort: socketsCount > 1 }
  // Another server of ours would share it with us, in silence; whoever does not offer to is found when we listen.
  if (port !== 0 && (await isAnswered({ host, port }))) throw taken(port)
  await app.listen({ ...options, port, listenTextResolver: () => 'listening' })
  const { port: own } = app.server.address() as AddressInfo
  const connections = new Set<Socket>()
  app.server.on('connection', (connection) => {
    if (connections.size >= connectionsMax) {
      // Whoever was served and is only kept for their next request makes room for the next one who comes.
      app.server.closeIdleConnections()
      connection.destroy()
      return
    }
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  const further: Server[] = []
  const end = async () => {
    await Promise.all([...further.map(close), endSilent(connections)])
  }
  try {
    while (further.length + 1 < socketsCount) {
      const socket = createServer({ noDelay: true }, (connection) =>
        app.server.emit('connection', connection),
      )
      further.push(await listening(socket, { ...options, port: own }))
    }
  } catch (error) {
    void end()
    throw error
  }
  return end
}

/** Whether somebody lets us in. To listen and stop again would let others in, and turn them out. */
async function isAnswered({ host, port }: Pick<Door, 'host' | 'port'>): Promise<boolean> {
  const connection = connect({ host: anyHosts.has(host) ? 'localhost' : host, port })
  try {
    await once(connection, 'connect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}

function taken(port: number): Error {
  return Object.assign(new Error(`Port ${port} is taken.`), { code: 'EADDRINUSE', port })
}

async function listening(server: Server, options: ListenOptions): Promise<Server> {
  server.listen(options)
  await once(server, 'listening')
  return server
}

async function endSilent(connections: ReadonlySet<Socket>): Promise<void> {
  const silent = () => [...connections].filter(({ bytesRead }) => bytesRead === 0)
  if (silent().length === 0) return
  await pause(silenceMaxMs)
  for (const connection of silent()) connection.destroy()
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
