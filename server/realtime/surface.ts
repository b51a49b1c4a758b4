/**
 * `/realtime/v1/websocket`: manages the sockets after their upgrade (`upgrade.ts`). Source: supabase/realtime
 * `user_socket.ex`. Unlike upstream, refuses origins that are not allowed. Does not support compression or
 * subprotocols.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { realtimeRefusedFrameBytesMax } from '@finanzas/contract/limits.ts'
import { WebSocketServer } from 'ws'
import type { ChangeFeed } from '#realtime/changes/feed.ts'
import type { Database } from '#database/database.ts'
import type { Origins } from '#http/cors.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Channel } from '#realtime/connection/channel.ts'
import { deliverTo } from '#realtime/changes/delivery.ts'
import { closeCodes } from './errors.ts'
import { PublishedTables } from '#realtime/changes/published-tables.ts'
import { Registry } from '#realtime/connection/registry.ts'
import { Socket } from '#realtime/connection/socket.ts'
import { AnonymousSockets } from '#realtime/connection/anonymous-sockets.ts'
import { readUpgrade } from '#realtime/connection/upgrade.ts'

export type RealtimeServices = {
  readonly database: Database
  readonly changes: ChangeFeed
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
  readonly origins: Origins
  readonly log: { error(fields: object, message: string): void }
}

/** How long the server waits for clients to confirm that they are closing. */
const closeWaitMs = 1000

/** Opens `/realtime/v1/websocket`. The HTTP server must pass its upgrade requests to `handleUpgrade`. */
export function openRealtime(services: RealtimeServices) {
  const { database, tokenKey, log } = services
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: realtimeRefusedFrameBytesMax,
    perMessageDeflate: false,
  })
  const tables = new PublishedTables(database)
  const registry = new Registry<Channel>()
  const anonymousSockets = new AnonymousSockets()
  /**
   * Closes all sockets with 1001, so that their clients reconnect and a proxy can route them to another server. Returns
   * how many sockets it closed.
   */
  const disconnectAll = () => {
    for (const webSocket of server.clients) webSocket.close(closeCodes.goingAway)
    return server.clients.size
  }
  services.changes.subscribe(deliverTo({ database, tables, registry, log }))

  return {
    /** Turns a request that `readUpgrade` has accepted into a WebSocket. */
    handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const verdict = readUpgrade(request, services)
      // The HTTP server has already refused requests that fail this check; the check is only a safeguard.
      if (!verdict.ok) {
        socket.destroy()
        return
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        void new Socket(
          { database, tokenKey, tables, registry, anonymousSockets, log },
          webSocket,
          verdict.apiKeyRole,
        )
      })
    },
    /** Returns the number of open sockets, the number of channels, and the counters since the process started. */
    load: () => ({ sockets: server.clients.size, channels: registry.size, ...registry.counters }),
    disconnectAll,
    /** Stops accepting sockets and closes the open sockets, so that their clients reconnect to another server. */
    async close(): Promise<void> {
      server.close()
      disconnectAll()
      const allGone = Promise.all([...server.clients].map((webSocket) => once(webSocket, 'close')))
      await Promise.race([allGone, pause(closeWaitMs, undefined, { ref: false })])
      for (const webSocket of server.clients) webSocket.terminate()
    },
  }
}
