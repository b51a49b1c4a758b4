/** Opens channels with the real client, and waits for the changes and messages that they receive. */
import { EventEmitter, once } from 'node:events'
import {
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from '@supabase/supabase-js'
import { recordExpenses } from '#tests/wire/expenses.ts'
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

/** A `system` message, which the server sends about the subscription itself. */
type SystemMessage = { status: string; message: string; extension: string }

/** Subscribes to changes and waits for the server's answer. */
export async function watch(client: SupabaseClient, ...wanted: Wanted[]) {
  const changes: ChangeEvent[] = []
  const messages: SystemMessage[] = []
  const states: string[] = []
  const { tell, until } = newsOf()
  const channel = client.channel(`watch-${crypto.randomUUID()}`)
  for (const { event = '*', ...rest } of wanted) {
    // The cast is needed because each overload in the client's types accepts only one literal event.
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
    /**
     * Waits for the first change that matches the predicate. Changes that arrived earlier also match. Throws an error
     * after ten seconds.
     */
    change: (passes: (change: ChangeEvent) => boolean) => untilFound(changes, passes),
    message: async (passes: (text: string) => boolean) =>
      (await untilFound(messages, ({ message }) => passes(message))).message,
    state: (state: string) => untilFound(states, (each) => each === state),
  }
}

/** Subscribes, and returns the server's message about the subscription. */
export async function answerTo({ client }: Person, wanted: Wanted): Promise<string> {
  const watching = await watch(client, wanted)
  const message = await watching.message(() => true)
  await client.removeChannel(watching.channel)
  return message
}

/** Records an expense of 4.50, and returns its id. */
export async function addExpense(person: Person, description = 'Café'): Promise<string> {
  const [row] = await recordExpenses(person, [{ description, amount: 4.5 }])
  return row?.id ?? ''
}

/** Returns a predicate that matches the insert of this row. */
export function isInsertOf(id: string): (change: ChangeEvent) => boolean {
  return (change) => change.eventType === 'INSERT' && change.new['id'] === id
}

/**
 * The product promises to send a change within one second. This test waits longer, because a change must wait for older
 * database transactions, and other tests keep transactions open.
 */
const waitMs = 10_000

/**
 * Returns two functions. A call of `until` waits until the given function `find` returns a result, and throws an error
 * after ten seconds. `tell` causes every waiting call to run its function again.
 */
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

/** Subscribes a channel and waits until it is joined. */
export function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve) => {
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel)
    })
  })
}
