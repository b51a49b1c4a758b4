import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Change, ChangeFeed, type ChangeListener } from './feed.ts'
import { type Database, DatabaseUnavailable, type Row, type SqlStatement } from '#database/database.ts'

/** The calls that the feed's listener received, in order. */
let received: string[]
let outbox: Outbox
let feed: ChangeFeed

beforeEach(async () => {
  vi.useFakeTimers()
  outbox = new Outbox()
  feed = new ChangeFeed(outbox)
  received = listen({})
  await clock(0)
  expect(received.splice(0)).toEqual(['gap'])
})
afterEach(async () => {
  await feed.close()
  vi.useRealTimers()
})

/** Adds a listener and returns the list in which its calls are recorded. A call that `own` handles is not recorded. */
function listen(own: Partial<ChangeListener>): string[] {
  const told: string[] = []
  feed.subscribe({
    onChanges: async (changes) => void told.push(...changes.map(textOf)),
    onChangesMissed: () => told.push('missed'),
    onRevocations: (revoked) => told.push(...revoked.map(({ userId }) => userId)),
    onGap: () => told.push('gap'),
    onFailure: () => told.push('failure'),
    ...own,
  })
  return told
}

function clock(ms: number) {
  return vi.advanceTimersByTimeAsync(ms)
}

function textOf({ record }: Change): string {
  return String(record?.['text'])
}

test('each change is reported once and in order', async () => {
  outbox.write('a', 'b')
  await clock(0)
  outbox.write('c')
  await clock(0)

  expect(received).toEqual(['a', 'b', 'c'])
})

test('the feed finds a write by another process within half a second', async () => {
  outbox.writeSilently('a')
  await clock(500)

  expect(received).toEqual(['a'])
})

test('the feed delivers more changes than one batch can hold', async () => {
  outbox.write(...Array.from({ length: 1200 }, (_, index) => String(index)))
  await clock(0)

  expect(received).toHaveLength(1200)
  expect(new Set(received).size).toBe(1200)
})

test('changes are delayed but not lost during a database outage', async () => {
  outbox.isAway = true
  outbox.write('a')
  await clock(60_000)
  expect(received).toEqual([])
  outbox.isAway = false
  await clock(500)

  expect(received).toEqual(['a'])
})

test('listeners are notified of a gap after a long outage in which changes may have been purged', async () => {
  outbox.isAway = true
  outbox.write('a')
  await clock(10 * 60_000)
  outbox.isAway = false
  await clock(500)
  outbox.write('b')
  await clock(0)

  expect(received).toEqual(['gap', 'b'])
})

test('a revocation is reported immediately and only once even while a listener is busy', async () => {
  let finish: () => void = () => undefined
  const told = listen({ onChanges: () => new Promise((resolve) => (finish = resolve)) })
  outbox.write('a')
  await clock(0)

  outbox.revoke('ana')
  await clock(500)
  outbox.revoke('eva')
  await clock(5000)

  expect(told).toEqual(['ana', 'eva'])
  finish()
})

test('revocations are reported again after a crash of the database', async () => {
  const told = listen({ onChangesMissed: () => undefined })
  outbox.revoke('ana')
  await clock(500)
  expect(told).toEqual(['ana'])

  outbox.epoch = null
  await clock(500)
  expect(told).toEqual(['ana', 'ana'])
  outbox.epoch = 'of another server'
  await clock(1000)

  expect(told).toEqual(['ana', 'ana', 'ana'])
})

test('after a crash or a failover, listeners are notified of missed changes and then get new changes', async () => {
  outbox.write('a', 'b', 'c')
  await clock(0)

  outbox.failOver(1)
  await clock(500)
  outbox.write('d')
  await clock(0)

  expect(received).toEqual(['a', 'b', 'c', 'missed', 'd'])
})

test('the rows of a new primary are kept for ten minutes even if their numbers were used before the failover', async () => {
  outbox.write('a', 'b', 'c')
  await clock(9 * 60_000)

  outbox.failOver(0)
  await clock(500)
  outbox.write('d')
  await clock(5 * 60_000)

  expect(outbox.size).toBe(1)
})

test('changes are deleted ten minutes after they become readable', async () => {
  outbox.isHeldBack = true
  outbox.write('a', 'b')

  await clock(30 * 60_000)
  expect(received).toEqual([])
  expect(outbox.size).toBe(2)
  outbox.isHeldBack = false
  await clock(9 * 60_000)
  expect(received).toEqual(['a', 'b'])
  expect(outbox.size).toBe(2)
  await clock(3 * 60_000)

  expect(outbox.size).toBe(0)
})

test('old changes are purged in several database transactions, each of at most a thousand rows', async () => {
  outbox.write(...Array.from({ length: 2500 }, (_, index) => String(index)))

  await clock(12 * 60_000)

  expect(outbox.size).toBe(0)
  expect(outbox.purged).toEqual([1000, 1000, 500])
})

test('an internal error in the feed is reported and the feed continues', async () => {
  outbox.isBroken = true
  outbox.write('a')
  await clock(0)
  expect(new Set(received)).toEqual(new Set(['failure']))
  outbox.isBroken = false
  await clock(500)

  expect(received.at(-1)).toBe('a')
})

test('the feed delivers the next changes only when the listener has finished with the previous changes', async () => {
  let finish: () => void = () => undefined
  const taken: string[] = []
  listen({
    onChanges: (changes) => {
      taken.push(...changes.map(textOf))
      return new Promise((resolve) => (finish = resolve))
    },
  })
  outbox.write('a')
  await clock(0)
  outbox.write('b')
  await clock(5000)
  expect(taken).toEqual(['a'])
  finish()
  await clock(0)

  expect(taken).toEqual(['a', 'b'])
  finish()
})

/** A fake outbox whose connection can break. Every row is a separate database transaction. */
class Outbox implements Database {
  readonly engine = 'postgres'
  isAway = false
  isBroken = false
  epoch: string | null = 'first'
  /** The number of rows that each deletion has removed. */
  readonly purged: number[] = []
  /** The number of the first row that cannot be read yet, because an old database transaction is still open. */
  #heldFrom: number | null = null
  #rows: { seq: number; text: string }[] = []
  readonly #revoked: string[] = []
  #lastSeq = 0
  #listener: () => void = () => undefined

  get size(): number {
    return this.#rows.length
  }

  set isHeldBack(isHeldBack: boolean) {
    this.#heldFrom = isHeldBack ? this.#lastSeq + 1 : null
  }

  write(...texts: string[]): void {
    this.writeSilently(...texts)
    this.#listener()
  }

  writeSilently(...texts: string[]): void {
    for (const text of texts) {
      this.#lastSeq += 1
      this.#rows.push({ seq: this.#lastSeq, text })
    }
  }

  /** Fails over to a server that has received only the first rows. This server reuses the numbers of the lost rows. */
  failOver(rowsKept: number): void {
    this.#rows = this.#rows.slice(0, rowsKept)
    this.#lastSeq = this.#rows.at(-1)?.seq ?? 0
    this.epoch = null
  }

  revoke(userId: string): void {
    this.#revoked.push(userId)
  }

  async transaction(_scope: unknown, statements: readonly SqlStatement<unknown>[]): Promise<never> {
    if (this.isAway) throw new DatabaseUnavailable('away')
    if (this.isBroken) throw new TypeError('a mistake')
    return statements.map((statement) => this.#answer(statement)) as never
  }

  running() {
    return 0
  }

  onWrite(listener: () => void): void {
    this.#listener = listener
  }

  async close(): Promise<void> {
    // The fake outbox has no connection to close.
  }

  #answer({ text, values }: SqlStatement<unknown>): Row[] {
    const horizon = this.#heldFrom ?? this.#lastSeq + 1
    const snapshot = String(this.#revoked.length)
    const [xid, seq, limit] = values.map(Number)
    if (text.includes('insert into realtime.epochs')) {
      this.epoch ??= 'next'
      return []
    }
    if (text.includes("'revocations'")) {
      const revoked = this.#revoked
        .slice(values[0] === '1:1:' ? 0 : xid)
        .map((userId) => ({ userId, sessionId: userId }))
      return [{ snapshot, revoked, epoch: this.epoch }]
    }
    if (!text.includes('from realtime.outbox'))
      return [{ xid: String(horizon), horizon: String(horizon), snapshot, epoch: this.epoch }]
    const isOld = (row: { seq: number }) => row.seq < (xid ?? 0)
    if (text.includes('exists')) return [{ hasOld: this.#rows.some(isOld) }]
    if (text.trimStart().startsWith('delete')) {
      const old = this.#rows.filter(isOld).slice(0, seq)
      this.purged.push(old.length)
      this.#rows = this.#rows.filter((row) => !old.includes(row))
      return []
    }
    return this.#rows
      .filter((row) => !isOld(row) && row.seq > (seq ?? 0) && row.seq < horizon)
      .slice(0, limit)
      .map((row) => ({ xid: String(row.seq), seq: row.seq, record: { text: row.text } }))
  }
}
