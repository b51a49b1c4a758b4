// Seen red with: a database transaction for each message; a forgotten server that tells changes alone; a queue without a
// bound.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable, type SqlStatement } from '#database/database.ts'
import type { Presence } from './presence.ts'
import type { RelayMessage } from './relay-messages.ts'
import { RelayOutbound } from './relay-outbound.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const clock = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const text = (payload: string): RelayMessage => ({ kind: 'broadcast', topic: 'patio', payload: { payload } })
const ana: Presence = { topic: 'patio', key: 'ana', meta: { phx_ref: 'a.1' } }
const hasCome: RelayMessage = {
  kind: 'presence',
  topic: 'patio',
  diff: { joins: { ana: { metas: [ana.meta] } }, leaves: {} },
}

/** The tables that servers share, at the other end of a wire that may be cut. */
class Tables implements Database {
  readonly engine = 'postgres'
  isAway = false
  isRegistered = false
  transactions = 0
  /** Kinds and texts of what was left for the others, one list for each database transaction. */
  readonly left: string[][] = []

  async transaction(_scope: unknown, statements: readonly SqlStatement<unknown>[]): Promise<never> {
    this.transactions += 1
    if (this.isAway) throw new DatabaseUnavailable('away')
    return statements.map(({ text, values }) => {
      if (text.includes('delete from realtime.servers')) this.isRegistered = false
      if (text.includes('insert into realtime.servers')) this.isRegistered = true
      if (text.includes('insert into realtime.relayed_messages')) {
        const messages = JSON.parse(String(values[1])) as RelayMessage[]
        this.left.push(
          messages.map((each) => (each.kind === 'broadcast' ? String(each.payload['payload']) : each.kind)),
        )
      }
      return text.includes('update realtime.servers') && this.isRegistered ? [{ server: 'here' }] : []
    }) as never
  }

  load() {
    return { running: 0, waiting: 0, refused: 0 }
  }

  onWrite(): void {
    // Nobody else writes.
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

function start() {
  const tables = new Tables()
  const here: Presence[] = []
  const presences = {
    [Symbol.iterator]: () => here[Symbol.iterator](),
    get size() {
      return here.length
    },
  }
  const outbound = new RelayOutbound({ database: tables, self: 'here', presences, onFailure: fail })
  return { tables, here, outbound }
}

function fail(error: unknown): never {
  throw error
}

test('the first message leaves at once, the next ones together, in their order', async () => {
  const { tables, outbound } = start()

  for (const each of ['a', 'b', 'c', 'd']) outbound.tell(text(each))
  await clock(19)
  expect(tables.left).toEqual([['a']])
  await clock(1)

  expect(tables.left.slice(1)).toEqual([['b', 'c', 'd']])
})

test('what cannot be written is dropped, and what waits is bounded', async () => {
  const { tables, outbound } = start()

  tables.isAway = true
  for (let count = 0; count < 100; count += 1) outbound.tell(text('x'.repeat(64 * 1024)))
  await clock(100)
  const tries = tables.transactions
  await clock(60_000)
  expect(tables.transactions).toBe(tries)
  tables.isAway = false
  for (let count = 0; count < 100; count += 1) outbound.tell(text('y'.repeat(64 * 1024)))
  await clock(1000)

  // The first one, and the two mebibytes that may wait behind it.
  expect(tables.left.flat()).toHaveLength(1 + 31)
  expect(tables.left.flat().every((each) => each.startsWith('y'))).toBe(true)
})

test('a server at which nobody is present gives no sign of life', async () => {
  const { tables } = start()

  await clock(60_000)

  expect(tables.transactions).toBe(0)
})

test('who is present is written down with the first one, then changes are, and with the last one gone nothing is', async () => {
  const { tables, here, outbound } = start()

  here.push(ana)
  outbound.tell(hasCome)
  await clock(1000)
  outbound.tell(hasCome)
  await clock(8000)
  expect(tables.left).toEqual([['anew'], ['presence']])
  expect(tables.transactions).toBe(4)
  here.length = 0
  await clock(4000)

  expect(tables.left.at(-1)).toEqual(['gone'])
  await clock(60_000)
  expect(tables.transactions).toBe(5)
})

test('a server that was forgotten, or could not write, has everybody read anew', async () => {
  const { tables, here, outbound } = start()
  here.push(ana)
  outbound.tell(hasCome)
  await clock(1000)

  tables.isRegistered = false
  await clock(4000)
  expect(tables.left).toEqual([['anew'], ['anew']])
  tables.isAway = true
  outbound.tell(hasCome)
  await clock(100)
  tables.isAway = false
  await clock(4000)

  expect(tables.left.slice(2)).toEqual([['anew']])
})

test('a server that ends says so, with what was still to be told', async () => {
  const { tables, here, outbound } = start()
  here.push(ana)
  outbound.tell(hasCome)
  await clock(1000)

  outbound.tell(text('a'))
  outbound.tell(text('b'))
  const closing = outbound.close()
  await clock(100)
  await closing

  expect(tables.left.flat().slice(1)).toEqual(['a', 'b', 'gone'])
  expect(tables.isRegistered).toBe(false)
})
