/** The payload of `phx_join` (upstream `payloads/join.ex`). */
import {
  realtimeSubscriptionsPerChannelMax,
  realtimeWantedChangesLengthMax,
} from '@finanzas/contract/limits.ts'
import { isRecord } from '#http/json.ts'

/** One entry of `postgres_changes`. `*` stands for any event, schema or table. */
export type WantedChanges = {
  /** The number that the channel assigns to the entry. Each event for the entry contains the number. */
  readonly id: number
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema: string
  readonly table: string
  readonly filter: string | null
  readonly choosesColumns: boolean
}

export type Join = {
  readonly wanted: readonly WantedChanges[]
  readonly isPrivate: boolean
  readonly wantsPresence: boolean
  readonly accessToken: string | null
  /**
   * The entries as the client sent them. The reply must repeat each entry and add its id. Otherwise the client leaves
   * the channel.
   */
  readonly written: readonly Readonly<Record<string, unknown>>[]
}

/** Reads the payload. Returns `null` if the payload is malformed. */
export function readJoin(payload: Readonly<Record<string, unknown>>): Join | null {
  const config = recordOr(payload['config'])
  const presence = recordOr(config['presence'])
  const written = readWritten(config['postgres_changes'])
  const wanted = written?.flatMap((entry, index) => readEntry(entry, index + 1) ?? [])
  if (written === null || wanted?.length !== written.length) return null
  return {
    wanted,
    isPrivate: config['private'] === true,
    wantsPresence: presence['enabled'] === true,
    accessToken: readAccessToken(payload),
    written,
  }
}

/** Returns the access token in a join or in an `access_token` push. API keys in the newer format are not tokens. */
export function readAccessToken(payload: Readonly<Record<string, unknown>>): string | null {
  const token = payload['access_token']
  return typeof token === 'string' && token !== '' && !token.startsWith('sb_') ? token : null
}

function readWritten(entries: unknown): Record<string, unknown>[] | null {
  if (entries === undefined || entries === null) return []
  if (!Array.isArray(entries) || entries.length > realtimeSubscriptionsPerChannelMax) return null
  if (JSON.stringify(entries).length > realtimeWantedChangesLengthMax) return null
  return entries.every(isRecord) ? entries : null
}

function readEntry(written: Record<string, unknown>, id: number): WantedChanges | null {
  const event = events.find((each) => each === written['event'])
  const { schema, table, filter } = written as Record<'schema' | 'table' | 'filter', unknown>
  if (event === undefined || !isName(schema) || !isName(table) || !isName(filter)) return null
  if (!schema && !table) return null
  return {
    id,
    event,
    schema: schema || 'public',
    table: table || '*',
    filter: filter || null,
    choosesColumns: written['select'] !== undefined,
  }
}

const events = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

function isName(value: unknown): value is string | undefined | null {
  return value === undefined || value === null || typeof value === 'string'
}

function recordOr(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
