/**
 * Listens for connections, on several sockets of one port. libuv accepts one connection for each listening socket and
 * turn of the event loop (libuv#3696): in a rush a turn takes 4 ms, and of 2,000 people who came together the last one
 * was let in after eight seconds (docs/decisions/0040).
 */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer as createHttpServer } from 'node:http'
import { type AddressInfo, type ListenOptions, type Server, type Socket, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Linux hands each new connection to one of the sockets that share a port; other systems do not, or do not spread them. */
const socketsCount = process.platform === 'linux' ? 32 : 1
const isShared = socketsCount > 1
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

/** An address and a port. */
export type Door = { readonly host: string; readonly port: number }

/** A port that no other program can take any more. Until the application listens, every request is answered 503. */
export type HeldPort = {
  /** The one that the system chose, where none was named. */
  readonly port: number
  /**
   * Lets the application listen until the answer is called, which resolves when the last connection of a further socket
   * is closed: the application closes them, but waits for its own socket's only. One connection more than
   * `connectionsMax` is closed at once.
   */
  readonly listen: (app: FastifyInstance, connectionsMax: number) => Promise<() => Promise<void>>
  /** Gives the port up, where nothing listens on it yet. */
  readonly release: () => Promise<void>
}

/**
 * Takes a port before a bank is opened or made. Throws `EADDRINUSE` and its kin: sockets share a port with each other
 * here, and with no other program.
 */
export async function holdPort({ host, port }: Door): Promise<HeldPort> {
  await refuseTaken({ host, port })
  const holder = createHttpServer(answerStarting)
  await listening(holder, { host, port, reusePort: isShared })
  const { port: own } = holder.address() as AddressInfo
  const release = async () => {
    if (!holder.listening) return
    const closed = once(holder, 'close')
    holder.close()
    holder.closeAllConnections()
    await closed
  }
  return {
    port: own,
    release,
    async listen(app, connectionsMax) {
      // Where sockets cannot share the port, it is free for a moment.
      if (!isShared) await release()
      const end = await listen(app, { host, port: own, connectionsMax })
      await release()
      return end
    },
  }
}

const starting = JSON.stringify({ status: 'starting' })

function answerStarting(_request: IncomingMessage, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  response.writeHead(503, { ...headers, 'retry-after': '1' }).end(starting)
}

async function listen(
  app: FastifyInstance,
  { host, port, connectionsMax }: Door & { connectionsMax: number },
): Promise<() => Promise<void>> {
  const options = { host, port, backlog: unacceptedMax, reusePort: isShared }
  await app.listen({ ...options, listenTextResolver: () => 'listening' })
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
      further.push(await listening(socket, options))
    }
  } catch (error) {
    void end()
    throw error
  }
  return end
}

/** Throws where another program listens, also one that would share the port, such as another server of ours. */
async function refuseTaken(door: Door): Promise<void> {
  await close(await listening(createServer(), door))
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
