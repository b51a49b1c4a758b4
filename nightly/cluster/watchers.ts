/**
 * Customers whose page is open while machines die: real clients, each listening for changes of their own budget. What they
 * change is their monthly limit, which posts nothing: the journal is the bank test's.
 */
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { setTimeout as pause } from 'node:timers/promises'
import { type Metric, atLeast, atMost, none } from '#nightly/metric.ts'
import type { TestServer } from '#testing/server.ts'

/** A page comes back within the client's own pauses (1, 2, 5, 10 s) and a moment (security.md RT-06). */
const rejoinMaxMs = 12_000
const arrivalMaxMs = 5000
const connectionWaitMs = 30_000

export type Watchers = {
  /** Waits until all have come back, has each change something, and says how it went. */
  check(): Promise<Metric[]>
  close(): Promise<void>
}

type Watcher = {
  client: SupabaseClient
  userId: string
  heard: Set<number>
  isJoined: boolean
  lostAt: number
}

/** So many sign up, sign in and listen. */
export async function openWatchers(
  server: Pick<TestServer, 'url' | 'anonKey'>,
  count: number,
): Promise<Watchers> {
  const anonKey = await server.anonKey()
  const rejoinedMs: number[] = []
  const watchers: Watcher[] = []
  for (let number = 0; number < count; number += 1)
    watchers.push(await openWatcher({ url: server.url, anonKey }, rejoinedMs))
  const untilAllJoined = async () => {
    const deadline = performance.now() + connectionWaitMs
    while (watchers.some(({ isJoined }) => !isJoined) && performance.now() < deadline) await pause(20)
  }
  await untilAllJoined()
  return {
    async check() {
      await untilAllJoined()
      const back = watchers.filter(({ isJoined }) => isJoined)
      const missed = await Promise.all(back.map((watcher) => isDeaf(watcher)))
      return [
        atLeast('sockets that were open at the end', back.length, count),
        atLeast('times that a socket was lost and joined again', rejoinedMs.length, count),
        atMost('joining again, longest', Math.max(0, ...rejoinedMs) / 1000, rejoinMaxMs / 1000, 's'),
        none('sockets that did not receive their own next change', missed.filter(Boolean)),
      ]
    },
    async close() {
      await Promise.all(watchers.map(({ client }) => client.removeAllChannels()))
    },
  }
}

async function openWatcher(
  { url, anonKey }: { url: string; anonKey: string },
  rejoinedMs: number[],
): Promise<Watcher> {
  const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
  const { data, error } = await client.auth.signUp({
    email: `mira-${crypto.randomUUID()}@banco.example`,
    password: `clave ${crypto.randomUUID()}`,
  })
  if (data.user === null || data.session === null) throw new Error('Nobody was signed in.', { cause: error })
  const watcher: Watcher = { client, userId: data.user.id, heard: new Set(), isJoined: false, lostAt: 0 }
  client
    .channel('own')
    .on(
      'postgres_changes',
      { event: 'UPDATE', schema: 'public', table: 'budgets', filter: `user_id=eq.${watcher.userId}` },
      ({ new: row }) => watcher.heard.add((row as { monthly_limit: number }).monthly_limit),
    )
    .subscribe((state) => {
      const isJoined = state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED
      if (isJoined && !watcher.isJoined && watcher.lostAt > 0)
        rejoinedMs.push(performance.now() - watcher.lostAt)
      if (!isJoined && watcher.isJoined) watcher.lostAt = performance.now()
      watcher.isJoined = isJoined
    })
  return watcher
}

/** Whether what they change now does not reach them. */
async function isDeaf({ client, userId, heard }: Watcher): Promise<boolean> {
  const limit = 1 + Math.floor(Math.random() * 1_000_000)
  await client.from('budgets').update({ monthly_limit: limit }).eq('user_id', userId)
  const deadline = performance.now() + arrivalMaxMs
  while (!heard.has(limit) && performance.now() < deadline) await pause(20)
  return !heard.has(limit)
}
