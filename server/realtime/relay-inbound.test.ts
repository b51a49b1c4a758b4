// Seen red with: reading by the clock without a listener; an absence that nobody notices; a failed reading that
// waits for the next message; a budget that does not count what comes from elsewhere; snapshots compared over a
// crash.
import { realtimeToldBytesPerSecondMax } from '@finanzas/contract/limits.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable, type SqlStatement } from '#database/database.ts'
import { OthersPresent } from './others-present.ts'
import type { PresenceDiff } from './presence.ts'
import { RelayInbound } from './relay-inbound.ts'
import type { RelayMessage } from './relay-messages.ts'
import { Tellings } from './tellings.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const clock = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** What other servers left; the snapshot is how much of it there was. */
class Tables implements Database {
  readonly engine = 'postgres'
  isAway = false
  readings = 0
  /** Servers by how long they have been silent, with JSON of who is present. */
  readonly servers = new Map<string, { silentMs: number; present: string[] }>()
  lifetime: string | null = 'first'
  #batches: { server: string; messages: string }[] = []

  leave(server: string, ...messages: RelayMessage[]): void {
    this.#batches.push({ server, messages: JSON.stringify(messages) })
  }

  crash(): void {
    this.#batches = []
    this.servers.clear()
    this.lifetime = `after ${this.lifetime}`
  }

  async transaction(_scope: unknown, [statement]: readonly SqlStatement<unknown>[]): Promise<never> {
    this.readings += 1
    if (this.isAway) throw new DatabaseUnavailable('away')
    const rows =
      statement?.text.includes('realtime.presences') === true ? this.#present() : this.#news(statement)
    return [rows] as never
  }

  load() {
    return { running: 0, waiting: 0, refused: 0 }
  }

  onWrite(): void {
    // The test looks.
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  #present() {
    return [...this.servers].flatMap(([server, { present }]) =>
      present.map((each) => ({ server, present: each })),
    )
  }

  #news(statement: SqlStatement<unknown> | undefined) {
    const last = statement?.values[1] ?? null
    const servers = [...this.servers].map(([server, { silentMs }]) => ({ server, silentMs }))
    const batches = last === null ? [] : this.#batches.slice(last === '1:1:' ? 0 : Number(last))
    return [{ snapshot: String(this.#batches.length), lifetime: this.lifetime, servers, batches }]
  }
}

function start({ hearsPresence = false, members = 1, tables = new Tables() } = {}) {
  const heard: string[] = []
  const listener = {
    hearsPresence,
    send: (event: string, payload: Readonly<Record<string, unknown>>) =>
      void heard.push(told(event, payload)),
  }
  const crowd = Array.from({ length: members }, () => listener)
  const inbound = new RelayInbound({
    database: tables,
    self: 'here',
    registry: { onTopic: (topic) => (topic === 'patio' ? crowd : []) },
    others: new OthersPresent(),
    tellings: new Tellings(realtimeToldBytesPerSecondMax),
    onFailure: (error) => {
      throw error
    },
  })
  return { tables, heard, inbound }
}

/** What a listener was told, as a line. */
function told(event: string, payload: Readonly<Record<string, unknown>>): string {
  if (event === 'broadcast') return String(payload['text']).slice(0, 6)
  const { joins, leaves } = payload as PresenceDiff
  return [
    ...Object.keys(joins).map((key) => `+${key}`),
    ...Object.keys(leaves).map((key) => `-${key}`),
  ].join()
}

const broadcast = (text: string, topic = 'patio'): RelayMessage => ({
  kind: 'broadcast',
  topic,
  payload: { text },
})
const presentIn = (key: string, ref: string) =>
  JSON.stringify({ topic: 'patio', key, meta: { phx_ref: ref } })

test('what was said before the start is not heard, and everything after it once and in order', async () => {
  const tables = new Tables()
  tables.leave('there', broadcast('old'))
  const { heard, inbound } = start({ tables })
  await clock(0)

  tables.leave('there', broadcast('a'), broadcast('b'), broadcast('not here', 'elsewhere'))
  tables.leave('far', broadcast('c'))
  inbound.look(true)
  await clock(0)
  inbound.look(true)
  await clock(0)

  expect(heard).toEqual(['a', 'b', 'c'])
})

test('without messages and without anybody who listens to who is present nothing is read', async () => {
  const { tables, inbound } = start()
  await clock(0)
  const first = tables.readings

  for (let second = 0; second < 60; second += 1) {
    await clock(1000)
    inbound.look(false)
  }

  expect([first, tables.readings]).toEqual([1, 1])
})

test('what could not be read is read at the next look', async () => {
  const { tables, heard, inbound } = start()
  inbound.look(false)
  await clock(0)

  tables.isAway = true
  tables.leave('there', broadcast('a'))
  inbound.look(true)
  await clock(0)
  tables.isAway = false
  inbound.look(false)
  await clock(0)

  expect(heard).toEqual(['a'])
})

test('after an absence in which messages may have been swept away reading begins anew', async () => {
  const { tables, heard, inbound } = start()
  inbound.look(false)
  await clock(0)

  await clock(11_000)
  tables.leave('there', broadcast('missed'))
  inbound.look(true)
  await clock(0)
  tables.leave('there', broadcast('a'))
  inbound.look(true)
  await clock(0)

  expect(heard).toEqual(['a'])
})

test('after a crash of the database everything that is there is new', async () => {
  const { tables, heard, inbound } = start()
  await clock(0)
  for (const each of ['a', 'b', 'c']) tables.leave('there', broadcast(each))
  inbound.look(true)
  await clock(0)

  tables.crash()
  tables.leave('there', broadcast('d'))
  inbound.look(true)
  await clock(0)
  inbound.look(true)
  await clock(0)

  expect(heard).toEqual(['a', 'b', 'c', 'd'])
})

test('what comes from other servers has the same budget as what is said here', async () => {
  const { tables, heard, inbound } = start({ members: 40 })
  inbound.look(false)
  await clock(0)

  const text = 'x'.repeat(60_000)
  tables.leave('there', ...Array.from({ length: 50 }, () => broadcast(text)))
  inbound.look(true)
  await clock(0)

  expect(heard.length).toBeGreaterThan(0)
  expect(heard.length * text.length).toBeLessThanOrEqual(realtimeToldBytesPerSecondMax)
})

test('who begins to listen hears who is present, and then who comes and goes', async () => {
  const { tables, heard, inbound } = start({ hearsPresence: true })
  inbound.look(false)
  tables.servers.set('there', { silentMs: 0, present: [presentIn('ana', 't.1')] })
  tables.servers.set('dead', { silentMs: 60_000, present: [] })
  await clock(0)

  inbound.hear({})
  await clock(0)
  tables.leave('there', {
    kind: 'presence',
    topic: 'patio',
    diff: { joins: { luis: { metas: [{ phx_ref: 't.2' }] } }, leaves: {} },
  })
  inbound.look(true)
  await clock(0)

  expect(heard).toEqual(['+ana', '+luis'])
})

test('a server that falls silent, or is missing after a crash, is believed for ten seconds', async () => {
  const { tables, heard, inbound } = start({ hearsPresence: true })
  inbound.look(false)
  tables.servers.set('there', { silentMs: 0, present: [presentIn('ana', 't.1')] })
  inbound.hear({})
  await clock(0)

  tables.servers.clear()
  await clock(9900)
  expect(heard).toEqual(['+ana'])
  await clock(4000)

  expect(heard.slice(1)).toEqual(['-ana'])
})
