/** The payload of `phx_join` (upstream `payloads/join.ex`), of old clients too. */
import { randomUUID } from 'node:crypto'
import {
  realtimePresenceKeyLengthMax,
  realtimeSubscriptionsPerChannelMax,
} from '@finanzas/contract/limits.ts'
import { isRecord } from './frames.ts'

/** One entry of `postgres_changes`; `*` stands for any. */
export type WantedChanges = {
  /** The channel's number for it, which events carry. */
  readonly id: number
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly filter: string | null
  /** The entry as the client wrote it: the reply repeats it with the id, or the client leaves. */
  readonly written: Readonly<Record<string, unknown>>
}

export type JoinRequest = {
  readonly isPrivate: boolean
  readonly wanted: readonly WantedChanges[]
  readonly broadcast: { readonly self: boolean; readonly ack: boolean }
  /** Whether presences are sent to it, and the key of its own. */
  readonly presence: { readonly isEnabled: boolean; readonly key: string }
  readonly accessToken: string | null
}

/** Reads the payload; `null` when it is malformed. */
export function readJoinRequest(payload: Readonly<Record<string, unknown>>): JoinRequest | null {
  const config = recordOr(payload['config'])
  const broadcast = recordOr(config['broadcast'])
  const presence = recordOr(config['presence'])
  const wanted = readWanted(config['postgres_changes'])
  if (wanted === null) return null
  return {
    isPrivate: config['private'] === true,
    wanted,
    broadcast: { self: broadcast['self'] === true, ack: broadcast['ack'] === true },
    presence: { isEnabled: presence['enabled'] === true, key: presenceKey(presence['key']) },
    accessToken: readAccessToken(payload),
  }
}

/** The token of a join or of an `access_token` push; API keys of the newer kind are no tokens. */
export function readAccessToken(payload: Readonly<Record<string, unknown>>): string | null {
  const token = payload['access_token']
  return typeof token === 'string' && token !== '' && !token.startsWith('sb_') ? token : null
}

/** Random without one, as upstream. */
function presenceKey(key: unknown): string {
  const isUsable = typeof key === 'string' && key !== '' && key.length <= realtimePresenceKeyLengthMax
  return isUsable ? key : randomUUID()
}

function readWanted(entries: unknown): WantedChanges[] | null {
  if (entries === undefined || entries === null) return []
  if (!Array.isArray(entries) || entries.length > realtimeSubscriptionsPerChannelMax) return null
  const wanted = entries.flatMap((entry, index) => (isRecord(entry) && readEntry(entry, index + 1)) || [])
  return wanted.length === entries.length ? wanted : null
}

function readEntry(written: Record<string, unknown>, id: number): WantedChanges | null {
  const event = events.find((each) => each === written['event'])
  const { schema, table, filter } = written as Record<'schema' | 'table' | 'filter', unknown>
  if (event === undefined || !isName(schema) || !isName(table) || !isName(filter)) return null
  if (!schema && !table) return null
  return { id, event, schema: schema || 'public', table: table || '*', filter: filter || null, written }
}

const events = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

function isName(value: unknown): value is string | undefined | null {
  return value === undefined || value === null || typeof value === 'string'
}

function recordOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
