/** Every table joined by everybody on the realtime surface, and what they then hear of one another. */
import { EventEmitter, once } from 'node:events'
import { REALTIME_SUBSCRIBE_STATES, createClient } from '@supabase/supabase-js'
import { inject } from 'vitest'
import { WebSocket } from 'ws'
import type { Attempt } from '#supabase/authorization/permissions.ts'
import type { WireActor } from './actors.ts'

const joinWaitMs = 15_000

/** Who listens: how each table took the join, and the people whose changes came. */
export type Listener = {
  readonly actor: WireActor
  readonly joined: ReadonlyMap<string, 'done' | 'refused'>
  /** `table owner` of each change that came. */
  readonly heard: ReadonlySet<string>
  /** Waits until a change of that table of that person has come. */
  until(table: string, person: string): Promise<void>
  close(): Promise<void>
}

/** Joins every table, one channel each. */
export async function listen(
  actor: WireActor,
  tables: readonly { name: string; owner: string | null }[],
): Promise<Listener> {
  const { url } = inject('server')
  const { apikey } = actor.headers
  if (apikey === undefined) return deaf(actor, tables, url)
  const client = createClient(url, apikey, {
    accessToken: () => Promise.resolve(actor.token ?? apikey),
    realtime: { timeout: joinWaitMs },
  })
  await client.realtime.setAuth()
  const heard = new Set<string>()
  const joined = new Map<string, 'done' | 'refused'>()
  const news = new EventEmitter()
  const until = async (holds: () => boolean, what: () => string) => {
    const signal = AbortSignal.timeout(joinWaitMs)
    while (!holds()) {
      await once(news, 'news', { signal }).catch((cause: unknown) => {
        throw new Error(`${actor.name} waited in vain for ${what()}.`, { cause })
      })
    }
  }
  for (const { name, owner } of tables) {
    const settle = (verdict: 'done' | 'refused') => {
      if (!joined.has(name)) joined.set(name, verdict)
      news.emit('news')
    }
    client
      .channel(`authorization-${name}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: name }, (change) => {
        const row: Record<string, unknown> = { ...change.old, ...change.new }
        heard.add(`${name} ${String(row[owner ?? ''])}`)
        news.emit('news')
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
    heard,
    until: (table, person) =>
      until(
        () => heard.has(`${table} ${person}`),
        () => `a change of ${table}`,
      ),
    async close() {
      await client.removeAllChannels()
    },
  }
}

/** Who has no key does not even get a socket. */
async function deaf(actor: WireActor, tables: readonly { name: string }[], url: string): Promise<Listener> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0`)
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.terminate()
  return {
    actor,
    joined: new Map(tables.map(({ name }) => [name, isOpen ? 'done' : 'refused'])),
    heard: new Set(),
    until: () => Promise.reject(new Error('Nobody hears nothing.')),
    close: () => Promise.resolve(),
  }
}

/** The cells of one listener. */
export function hearingOf(
  { actor, joined, heard }: Listener,
  spoken: readonly string[],
): readonly { attempt: Attempt; verdict: string }[] {
  const cell = (verb: 'join' | 'hear', object: string, target: Attempt['target'], verdict: string) => ({
    attempt: { actor: actor.name, verb, object, column: null, target },
    verdict,
  })
  const verdictOf = (isHeard: boolean) => (isHeard ? 'rows' : 'nothing')
  return [...joined].flatMap(([table, verdict]) => [
    cell('join', table, 'none', verdict === 'done' ? 'done' : '403'),
    ...(spoken.includes(table)
      ? [
          ...(actor.own === null
            ? []
            : [cell('hear', table, 'own', verdictOf(heard.has(`${table} ${actor.own}`)))]),
          cell(
            'hear',
            table,
            'other',
            verdictOf(
              [...heard].some(
                (each) => each.startsWith(`${table} `) && each !== `${table} ${actor.own ?? ''}`,
              ),
            ),
          ),
        ]
      : []),
  ])
}
