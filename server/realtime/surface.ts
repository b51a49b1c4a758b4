/**
 * `/realtime/v1/websocket` (wire-contract §4): the upgrade of a request to a WebSocket, for listed origins
 * with the project's API key. Source: supabase/realtime `user_socket.ex`. Refused on purpose: origins that
 * are not listed (upstream takes all), compression, subprotocols.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { realtimeFrameBytesMax, realtimeToldBytesPerSecondMax } from '@finanzas/contract/limits.ts'
import { WebSocketServer } from 'ws'
import type { ChangeFeed } from '#database/changes.ts'
import type { Database } from '#database/database.ts'
import { type ApiKeyRole, readApiKey } from '#http/api-key.ts'
import type { Origins } from '#http/origins.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Channel } from './channel.ts'
import { type DropReason, RealtimeCounts } from './counts.ts'
import { deliverTo } from './delivery.ts'
import { closeCodes, upgradeRefusals } from './errors.ts'
import type { SerializerVersion } from './frames.ts'
import { Presences } from './presence.ts'
import { PublishedTables } from './published-tables.ts'
import { Registry } from './registry.ts'
import { Socket } from './socket.ts'
import { Strangers } from './strangers.ts'
import { Tellings } from './tellings.ts'

export type RealtimeServices = {
  readonly database: Database
  readonly changes: ChangeFeed
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
  readonly origins: Origins
  readonly log: { error(fields: object, message: string): void }
}

export type Realtime = {
  /** Answers an `upgrade` event of the server, with a WebSocket or a refusal. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** What it has open, and what it has done since the start. */
  readonly load: () => RealtimeLoad
  /** Takes no more sockets and tells the open ones to reconnect elsewhere. */
  close(): Promise<void>
}

export type RealtimeLoad = {
  readonly sockets: number
  readonly channels: number
  readonly events: number
  readonly dropped: Readonly<Record<DropReason, number>>
}

const socketPath = '/realtime/v1/websocket'
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
  services.changes.subscribe(deliverTo({ database, tables, registry, counts, log }))

  return {
    handleUpgrade(request, socket, head) {
      const verdict = readUpgrade(request, services)
      if (!verdict.ok) {
        refuse(socket, verdict)
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
    async close() {
      server.close()
      for (const webSocket of server.clients) webSocket.close(closeCodes.goingAway)
      const allGone = Promise.all([...server.clients].map((webSocket) => once(webSocket, 'close')))
      await Promise.race([allGone, pause(closeWaitMs, undefined, { ref: false })])
      for (const webSocket of server.clients) webSocket.terminate()
    },
  }
}

type UpgradeRefusal = {
  readonly ok: false
  readonly status: number
  readonly error: string
  readonly hint?: string
}
type UpgradeVerdict =
  | { readonly ok: true; readonly version: SerializerVersion; readonly apiKeyRole: ApiKeyRole }
  | UpgradeRefusal

function readUpgrade(request: IncomingMessage, { apiKeys, origins }: RealtimeServices): UpgradeVerdict {
  const [path, queryText] = (request.url ?? '').split('?', 2)
  if (path !== socketPath) return { ok: false, ...upgradeRefusals.address }
  const { origin } = request.headers
  // Programs send no Origin; a browser always does.
  if (origin !== undefined && !origins.allows(origin)) return { ok: false, ...upgradeRefusals.origin }
  const query = new URLSearchParams(queryText)
  const apiKey = readApiKey(request, apiKeys, query.get('apikey') ?? undefined)
  if (!apiKey.ok) return { ok: false, status: 401, error: apiKey.message, hint: apiKey.hint }
  const version = query.get('vsn') ?? '1.0.0'
  if (version !== '1.0.0' && version !== '2.0.0') return { ok: false, ...upgradeRefusals.version }
  return { ok: true, version, apiKeyRole: apiKey.role }
}

function refuse(socket: Duplex, { status, error, hint }: UpgradeRefusal): void {
  const body = JSON.stringify({ error, hint })
  socket.on('error', () => socket.destroy())
  // Node leaves our half open: a client that never closes its own would stay for ever.
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
}
