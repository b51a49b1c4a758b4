/** Channels of the real client, and waiting for what they receive. */
import { EventEmitter, once } from 'node:events'
import {
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from '@supabase/supabase-js'
import type { Person } from '#tests/wire/people.ts'

export type ChangeEvent = RealtimePostgresChangesPayload<Record<string, unknown>>

export type Wanted = {
  event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  schema?: string
  table?: string
  filter?: string
  select?: string[]
}

export type Watch = Awaited<ReturnType<typeof watch>>

/** Messages of the server itself. */
type SystemMessage = { status: string; message: string; extension: string }

/** Subscribes to changes; answers once the server has confirmed. */
export async function watch(client: SupabaseClient, ...wanted: Wanted[]) {
  const changes: ChangeEvent[] = []
  const messages: SystemMessage[] = []
  const states: string[] = []
  const { tell, until } = newsOf()
  const channel = client.channel(`watch-${crypto.randomUUID()}`)
  for (const { event = '*', ...rest } of wanted) {
    // The client's overloads want a literal event each; the wire takes any.
    channel.on('postgres_changes', { event: event as '*', schema: 'public', ...rest }, (change) => {
      changes.push(change)
      tell()
    })
  }
  channel.on('system', {}, (message: SystemMessage) => {
    messages.push(message)
    tell()
  })
  channel.subscribe((state) => {
    states.push(state)
    tell()
  })

  const untilFound = <T>(list: readonly T[], passes: (item: T) => boolean) => until(() => list.find(passes))
  await untilFound(states, (state) => state !== 'CLOSED')
  return {
    channel,
    changes,
    messages,
    states,
    /** The first one that passes, past or future; throws when it does not come, as the next two. */
    change: (passes: (change: ChangeEvent) => boolean) => untilFound(changes, passes),
    message: async (passes: (text: string) => boolean) =>
      (await untilFound(messages, ({ message }) => passes(message))).message,
    state: (state: string) => untilFound(states, (each) => each === state),
  }
}

/** Records an expense as the page does; answers its id. */
export async function addExpense({ client, id: user_id }: Person, description = 'Café'): Promise<string> {
  const { data, error } = await client
    .from('transactions')
    .insert({ user_id, type: 'expense', description, amount: 4.5, category: 'Comida' })
    .select('id')
    .single<{ id: string }>()
  if (data === null) throw new Error('The expense was refused.', { cause: error })
  return data.id
}

/** Passes the insert of this row. */
export function isInsertOf(id: string): (change: ChangeEvent) => boolean {
  return (change) => change.eventType === 'INSERT' && change.new['id'] === id
}

/** The product promises a second, but changes wait for older database transactions, which other tests hold open. */
const waitMs = 10_000

/** Waiting for what `find` finds, now or once there is something new. Throws after ten seconds. */
export function newsOf() {
  const news = new EventEmitter().setMaxListeners(0)
  const tell = () => void news.emit('news')
  const until = async <T>(find: () => T | undefined | null): Promise<T> => {
    const signal = AbortSignal.timeout(waitMs)
    for (;;) {
      const found = find()
      if (found !== undefined && found !== null) return found
      await once(news, 'news', { signal })
    }
  }
  return { tell, until }
}

/** Subscribes a channel; resolves once it is joined. */
export function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve) => {
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel)
    })
  })
}
