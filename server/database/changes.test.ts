import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Change, type ChangeFeed, openChangeFeed } from './changes.ts'
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

test('the next changes wait until a listener is done with the last ones', async () => {
  const outbox = new Outbox()
  const feed = openChangeFeed(outbox)
  const heard: string[] = []
  let finish: () => void = () => undefined
  feed.subscribe({
    onChanges: (changes) => {
      heard.push(...changes.map(textOf))
      return new Promise((resolve) => {
        finish = resolve
      })
    },
    onGap: () => undefined,
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

function clock(ms: number) {
  return vi.advanceTimersByTimeAsync(ms)
}

function listenTo(outbox: Outbox): { feed: ChangeFeed; heard: string[] } {
  const heard: string[] = []
  const feed = openChangeFeed(outbox)
  feed.subscribe({
    onChanges: async (changes) => {
      heard.push(...changes.map(textOf))
    },
    onGap: () => heard.push('gap'),
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
  readonly #rows: { seq: number; text: string }[] = []
  #listener: () => void = () => undefined

  write(...texts: string[]): void {
    this.writeSilently(...texts)
    this.#listener()
  }

  writeSilently(...texts: string[]): void {
    for (const text of texts) this.#rows.push({ seq: this.#rows.length + 1, text })
  }

  async transaction(_scope: unknown, [statement]: readonly SqlStatement<unknown>[]): Promise<never> {
    if (this.isAway) throw new DatabaseUnavailable('away')
    return [this.#answer(statement)] as never
  }

  onWrite(listener: () => void): void {
    this.#listener = listener
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  #answer(statement: SqlStatement<unknown> | undefined): Row[] {
    const { text = '', values = [] } = statement ?? {}
    if (text.startsWith('delete')) return []
    if (!text.includes('from realtime.outbox')) return [{ xid: String(this.#rows.length + 1) }]
    const [xid, , limit] = values
    return this.#rows
      .filter(({ seq }) => seq >= Number(xid) && seq > Number(values[1]))
      .slice(0, Number(limit))
      .map((row) => ({ xid: String(row.seq), seq: row.seq, record: { text: row.text } }))
  }
}
