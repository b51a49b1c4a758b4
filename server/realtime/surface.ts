/**
 * `/realtime/v1/websocket` (wire-contract §4): the sockets that requests became (`upgrade.ts`). Source: supabase/realtime
 * `user_socket.ex`. Refused on purpose: origins that are not listed (upstream takes all), compression, subprotocols.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { realtimeFrameBytesMax, realtimeToldBytesPerSecondMax } from '@finanzas/contract/limits.ts'
import { WebSocketServer } from 'ws'
import type { ChangeFeed } from '#database/changes.ts'
import type { Database } from '#database/database.ts'
import type { Origins } from '#http/origins.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Channel } from './connection/channel.ts'
import { type DropReason, RealtimeCounts } from './connection/counts.ts'
import { deliverTo } from './changes/delivery.ts'
import { closeCodes } from './errors.ts'
import { Presences } from './presence.ts'
import { PublishedTables } from './changes/published-tables.ts'
import { Registry } from './connection/registry.ts'
import { Socket } from './connection/socket.ts'
import { Strangers } from './connection/anonymous-sockets.ts'
import { Tellings } from './connection/tellings.ts'
import { readUpgrade } from './connection/upgrade.ts'

export type RealtimeServices = {
  readonly database: Database
  readonly changes: ChangeFeed
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
  readonly origins: Origins
  readonly log: { error(fields: object, message: string): void }
}

export type Realtime = {
  /** Makes a WebSocket of a request for which `readUpgrade` is ok. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** What it has open, and what it has done since the start. */
  readonly load: () => RealtimeLoad
  /** Tells the open sockets to reconnect, where a proxy leads them to another server; answers how many. */
  readonly sendElsewhere: () => number
  /** Takes no more sockets and tells the open ones to reconnect elsewhere. */
  close(): Promise<void>
}

export type RealtimeLoad = {
  readonly sockets: number
  readonly channels: number
  readonly events: number
  readonly dropped: Readonly<Record<DropReason, number>>
}

/** Clients have this long to answer that they are closing. */
const closeWaitMs = 1000

/** Starts the realtime surface; it listens nowhere by itself. */
export function openRealtime(services: RealtimeServices): Realtime {
  const { database, tokenKey, log } = services
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: realtimeFrameBytesMax,
    perMessageDeflate: false,
  })
  const tables = new PublishedTables(database)
  const registry = new Registry<Channel>()
  const presences = new Presences<Channel>(randomUUID().slice(0, 8))
  const tellings = new Tellings(realtimeToldBytesPerSecondMax)
  const strangers = new Strangers()
  const counts = new RealtimeCounts()
  const sendElsewhere = () => {
    for (const webSocket of server.clients) webSocket.close(closeCodes.goingAway)
    return server.clients.size
  }
  services.changes.subscribe(deliverTo({ database, tables, registry, counts, log }))

  return {
    handleUpgrade(request, socket, head) {
      const verdict = readUpgrade(request, services)
      // Only what this was asked of before comes here.
      if (!verdict.ok) {
        socket.destroy()
        return
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        void new Socket(
          { database, tokenKey, tables, registry, presences, tellings, strangers, counts, log },
          webSocket,
          verdict,
        )
      })
    },
    load: () => ({ sockets: server.clients.size, channels: registry.size, ...counts }),
    sendElsewhere,
    async close() {
      server.close()
      sendElsewhere()
      const allGone = Promise.all([...server.clients].map((webSocket) => once(webSocket, 'close')))
      await Promise.race([allGone, pause(closeWaitMs, undefined, { ref: false })])
      for (const webSocket of server.clients) webSocket.terminate()
    },
  }
}
