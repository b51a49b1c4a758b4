/** Subscribes each actor to every table and records the changes that each actor receives. */
import { EventEmitter, once } from 'node:events'
import { realtimeChannelsPerSocketMax } from '@finanzas/contract/limits.ts'
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { inject } from 'vitest'
import { WebSocket } from 'ws'
import type { WireActor } from './actors.ts'
import type { Result } from './attempts.ts'

const joinWaitMs = 15_000

/** An actor's subscriptions, with the outcome of each join and the changes that arrived. */
export type Subscriber = {
  readonly actor: WireActor
  readonly joined: ReadonlyMap<string, 'done' | 'refused'>
  /** The table and the owner of each change, separated by a space. */
  readonly received: ReadonlySet<string>
  /** Waits for a change of the person's row in the table. */
  until(table: string, person: string): Promise<void>
  close(): Promise<void>
}

/** Joins one channel for each table. Opens several sockets, because the number of channels on one socket is limited. */
export async function subscribe(
  actor: WireActor,
  tables: readonly { name: string; owner: string | null }[],
): Promise<Subscriber> {
  const { url } = inject('server')
  const { apikey } = actor.headers
  if (apikey === undefined) return withoutKey(actor, tables, url)
  const clients: SupabaseClient[] = []
  const received = new Set<string>()
  const joined = new Map<string, 'done' | 'refused'>()
  const events = new EventEmitter()
  const until = async (holds: () => boolean, what: () => string) => {
    const signal = AbortSignal.timeout(joinWaitMs)
    while (!holds()) {
      await once(events, 'change', { signal }).catch((cause: unknown) => {
        throw new Error(`${actor.name} waited in vain for ${what()}.`, { cause })
      })
    }
  }
  for (const [index, { name, owner }] of tables.entries()) {
    // The server limits the number of channels on one socket.
    if (index % realtimeChannelsPerSocketMax === 0) clients.push(await connect(url, apikey, actor))
    const settle = (outcome: 'done' | 'refused') => {
      if (!joined.has(name)) joined.set(name, outcome)
      events.emit('change')
    }
    clients
      .at(-1)
      ?.channel(`authorization-${name}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: name }, (change) => {
        const row: Record<string, unknown> = { ...change.old, ...change.new }
        received.add(`${name} ${String(row[owner ?? ''])}`)
        events.emit('change')
      })
      .on('system', {}, ({ status }: { status: string }) => settle(status === 'ok' ? 'done' : 'refused'))
      .subscribe((state) => {
        if (state !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) settle('refused')
      })
  }
  await until(
    () => joined.size === tables.length,
    () => `the joins: only ${[...joined].flat().join(' ')}`,
  )
  return {
    actor,
    joined,
    received,
    until: (table, person) =>
      until(
        () => received.has(`${table} ${person}`),
        () => `a change of ${table}`,
      ),
    async close() {
      await Promise.all(clients.map((client) => client.removeAllChannels()))
    },
  }
}

async function connect(url: string, apikey: string, { token }: WireActor): Promise<SupabaseClient> {
  const client = createClient(url, apikey, {
    accessToken: () => Promise.resolve(token ?? apikey),
    realtime: { timeout: joinWaitMs },
  })
  await client.realtime.setAuth()
  return client
}

/** Returns a subscriber without an API key, whose socket must be refused. */
async function withoutKey(
  actor: WireActor,
  tables: readonly { name: string }[],
  url: string,
): Promise<Subscriber> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0`)
  const isOpen = await once(socket, 'open').then(
    () => true,
    () => false,
  )
  socket.terminate()
  return {
    actor,
    joined: new Map(tables.map(({ name }) => [name, isOpen ? 'done' : 'refused'])),
    received: new Set(),
    until: () => Promise.reject(new Error('The socket is missing.')),
    close: () => Promise.resolve(),
  }
}

/** Returns the results of a subscriber. `written` lists the tables in which rows were changed. */
export function realtimeResults(
  { actor, joined, received }: Subscriber,
  written: readonly string[],
): readonly Result[] {
  const cell = (
    verb: 'join' | 'receive',
    object: string,
    target: Result['attempt']['target'],
    outcome: string,
  ) => ({
    attempt: { actor: actor.name, verb, object, column: null, target },
    outcome,
  })
  const outcomeOf = (isReceived: boolean) => (isReceived ? 'rows' : 'nothing')
  const isOwn = (change: string, table: string) => change === `${table} ${actor.own ?? ''}`
  return [...joined].flatMap(([table, outcome]) => {
    const changes = [...received].filter((change) => change.startsWith(`${table} `))
    return [
      cell('join', table, 'none', outcome === 'done' ? 'done' : '401'),
      ...(written.includes(table) && actor.own !== null
        ? [cell('receive', table, 'own', outcomeOf(changes.some((change) => isOwn(change, table))))]
        : []),
      ...(written.includes(table)
        ? [cell('receive', table, 'other', outcomeOf(changes.some((change) => !isOwn(change, table))))]
        : []),
    ]
  })
}
