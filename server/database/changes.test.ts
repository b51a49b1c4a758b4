import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Change, type ChangeFeed, type ChangeListener, openChangeFeed } from './changes.ts'
import { type Database, DatabaseUnavailable, type Row, type SqlStatement } from './database.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('changes are handed on in order, each once', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.write('a', 'b')
  await clock(0)
  outbox.write('c')
  await clock(0)

  expect(heard).toEqual(['gap', 'a', 'b', 'c'])
  await feed.close()
})

test('what another process wrote is found within half a second', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.writeSilently('a')
  await clock(500)

  expect(heard).toEqual(['gap', 'a'])
  await feed.close()
})

test('more changes than one batch holds all arrive', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.write(...Array.from({ length: 1200 }, (_, index) => String(index)))
  await clock(0)

  expect(heard).toHaveLength(1 + 1200)
  expect(new Set(heard).size).toBe(1 + 1200)
  await feed.close()
})

test('while the database is away nothing is said, and nothing is lost', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.isAway = true
  outbox.write('a')
  await clock(60_000)
  expect(heard).toEqual(['gap'])
  outbox.isAway = false
  await clock(500)

  expect(heard).toEqual(['gap', 'a'])
  await feed.close()
})

test('after an absence in which changes may have been swept away, listeners are told of the gap', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.isAway = true
  outbox.write('a')
  await clock(10 * 60_000)
  outbox.isAway = false
  await clock(500)
  outbox.write('b')
  await clock(0)

  expect(heard).toEqual(['gap', 'gap', 'b'])
  await feed.close()
})

test('the end of a session is told at once, and once, while a listener is busy with changes', async () => {
  const outbox = new Outbox()
  const feed = openChangeFeed(outbox)
  const heard: string[] = []
  feed.subscribe({
    ...deaf,
    onChanges: () => new Promise(() => undefined),
    onRevocations: (ended) => heard.push(...ended.map(({ userId }) => userId)),
  })
  await clock(0)
  outbox.write('a')
  await clock(0)

  outbox.end('ana')
  await clock(500)
  outbox.end('eva')
  await clock(5000)

  expect(heard).toEqual(['ana', 'eva'])
})

test('after a crash of the database sessions that have ended are told once more', async () => {
  const outbox = new Outbox()
  const feed = openChangeFeed(outbox)
  const heard: string[] = []
  feed.subscribe({ ...deaf, onRevocations: (ended) => heard.push(...ended.map(({ userId }) => userId)) })
  await clock(0)
  outbox.end('ana')
  await clock(500)
  expect(heard).toEqual(['ana'])

  outbox.lifetime = null
  await clock(500)
  expect(heard).toEqual(['ana', 'ana'])
  outbox.lifetime = 'of another server'
  await clock(1000)

  expect(heard).toEqual(['ana', 'ana', 'ana'])
  await feed.close()
})

test('after a crash or a failover listeners are told that changes are missed, and hear what is written from then on', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)
  outbox.write('a', 'b', 'c')
  await clock(0)

  outbox.failOver(1)
  await clock(500)
  outbox.write('d')
  await clock(0)

  expect(heard).toEqual(['gap', 'a', 'b', 'c', 'missed', 'd'])
  await feed.close()
})

test('what a new primary has under old numbers is kept for ten minutes as well', async () => {
  const outbox = new Outbox()
  const { feed } = listenTo(outbox)
  await clock(0)
  outbox.write('a', 'b', 'c')
  await clock(9 * 60_000)

  outbox.failOver(0)
  await clock(500)
  outbox.write('d')
  await clock(5 * 60_000)

  expect(outbox.size).toBe(1)
  await feed.close()
})

test('changes are deleted ten minutes after they could be read, however old they are', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)
  outbox.isHeldBack = true
  outbox.write('a', 'b')

  await clock(30 * 60_000)
  expect(heard).toEqual(['gap'])
  expect(outbox.size).toBe(2)
  outbox.isHeldBack = false
  await clock(9 * 60_000)
  expect(heard).toEqual(['gap', 'a', 'b'])
  expect(outbox.size).toBe(2)
  await clock(3 * 60_000)

  expect(outbox.size).toBe(0)
  await feed.close()
})

test('a mistake in the feed is reported, and it goes on', async () => {
  const outbox = new Outbox()
  const { feed, heard } = listenTo(outbox)
  await clock(0)

  outbox.isBroken = true
  outbox.write('a')
  await clock(0)
  expect(new Set(heard)).toEqual(new Set(['gap', 'failure']))
  outbox.isBroken = false
  await clock(500)

  expect(heard.at(-1)).toBe('a')
  await feed.close()
})

test('the next changes wait until a listener is done with the last ones', async () => {
  const outbox = new Outbox()
  const feed = openChangeFeed(outbox)
  const heard: string[] = []
  let finish: () => void = () => undefined
  feed.subscribe({
    ...deaf,
    onChanges: (changes) => {
      heard.push(...changes.map(textOf))
      return new Promise((resolve) => {
        finish = resolve
      })
    },
  })
  await clock(0)

  outbox.write('a')
  await clock(0)
  outbox.write('b')
  await clock(5000)
  expect(heard).toEqual(['a'])
  finish()
  await clock(0)

  expect(heard).toEqual(['a', 'b'])
  finish()
  await feed.close()
})

const deaf: ChangeListener = {
  onChanges: async () => undefined,
  onChangesMissed: () => undefined,
  onRevocations: () => undefined,
  onGap: () => undefined,
  onFailure: () => undefined,
}

function clock(ms: number) {
  return vi.advanceTimersByTimeAsync(ms)
}

function listenTo(outbox: Outbox): { feed: ChangeFeed; heard: string[] } {
  const heard: string[] = []
  const feed = openChangeFeed(outbox)
  feed.subscribe({
    ...deaf,
    onChanges: async (changes) => {
      heard.push(...changes.map(textOf))
    },
    onChangesMissed: () => heard.push('missed'),
    onGap: () => heard.push('gap'),
    onFailure: () => heard.push('failure'),
  })
  return { feed, heard }
}

function textOf({ record }: Change): string {
  return String(record?.['text'])
}

/** An outbox at the other end of a wire that may be cut. Every row is a database transaction of its own. */
class Outbox implements Database {
  readonly engine = 'postgres'
  isAway = false
  isBroken = false
  lifetime: string | null = 'first'
  /** An old database transaction is open: what is written meanwhile may not be read yet. */
  #heldFrom: number | null = null
  #rows: { seq: number; text: string }[] = []
  readonly #ended: string[] = []
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

  /** Another server takes over, which has heard of the first rows only, and gives out the numbers of the others anew. */
  failOver(rowsKept: number): void {
    this.#rows = this.#rows.slice(0, rowsKept)
    this.#lastSeq = this.#rows.at(-1)?.seq ?? 0
    this.lifetime = null
  }

  end(userId: string): void {
    this.#ended.push(userId)
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
    // Nothing is open.
  }

  #answer({ text, values }: SqlStatement<unknown>): Row[] {
    const horizon = this.#heldFrom ?? this.#lastSeq + 1
    const snapshot = String(this.#ended.length)
    const [xid, seq, limit] = values.map(Number)
    if (text.includes('insert into realtime.lifetimes')) {
      this.lifetime ??= 'next'
      return []
    }
    if (text.includes("'ended_access'")) {
      const ended = this.#ended
        .slice(values[0] === '1:1:' ? 0 : xid)
        .map((userId) => ({ userId, sessionId: null }))
      return [{ snapshot, ended, lifetime: this.lifetime }]
    }
    if (!text.includes('from realtime.outbox'))
      return [{ xid: String(horizon), horizon: String(horizon), snapshot, lifetime: this.lifetime }]
    const isOld = (row: { seq: number }) => row.seq < (xid ?? 0)
    if (text.includes('exists')) return [{ hasOld: this.#rows.some(isOld) }]
    if (text.startsWith('delete')) {
      this.#rows = this.#rows.filter((row) => !isOld(row))
      return []
    }
    return this.#rows
      .filter((row) => !isOld(row) && row.seq > (seq ?? 0) && row.seq < horizon)
      .slice(0, limit)
      .map((row) => ({ xid: String(row.seq), seq: row.seq, record: { text: row.text } }))
  }
}
