import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable, type RowsOf, SqlError } from '#database/database.ts'
import { restErrors } from '#rest/errors.ts'
import { catalogueTable } from '#rest/testing/example-schema.ts'
import { createSchemaCache } from './cache.ts'
import type { Schema } from './schema.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => void vi.useRealTimers())

/**
 * Creates a schema cache for a catalogue with these tables. `counter` contains the number of catalogue reads.
 */
function cacheOf(names: readonly string[]) {
  const counter = { reads: 0 }
  const database: Database = {
    engine: 'pglite',
    async transaction<const S>() {
      counter.reads += 1
      const tables = names.map((name, index) => catalogueTable(index + 1, name, []))
      return [
        [{ tables, keys: { primary: [], foreign: [], constraintMessages: {} }, functions: [] }],
      ] as unknown as RowsOf<S & []>
    },
    running: () => 0,
    onWrite: () => undefined,
    close: async () => undefined,
  }
  return { cache: createSchemaCache(database), counter }
}

function planOf(name: string) {
  return ({ tables }: Schema) => {
    const table = tables.get(name)
    if (table === undefined) throw restErrors.noTable(name)
    return table.name
  }
}

test('simultaneous requests read the catalogue only once', async () => {
  const { cache, counter } = cacheOf(['books'])

  expect(await Promise.all([cache.plan(planOf('books')), cache.plan(planOf('books'))])).toEqual([
    'books',
    'books',
  ])
  expect(counter.reads).toBe(1)
})

test('a request with an unknown name causes a new read of the catalogue at most every three seconds', async () => {
  const names = ['books']
  const { cache, counter } = cacheOf(names)
  await cache.plan(planOf('books'))
  names.push('loans')

  await expect(cache.plan(planOf('loans'))).rejects.toMatchObject({ code: 'PGRST205' })
  vi.setSystemTime(3000)
  expect(await cache.plan(planOf('loans'))).toBe('loans')
  await expect(cache.plan(planOf('nothing'))).rejects.toMatchObject({ code: 'PGRST205' })

  expect(counter.reads).toBe(2)
})

test('an error that indicates an outdated schema causes a new read of the catalogue at most every three seconds', async () => {
  const { cache, counter } = cacheOf(['books'])
  const readsAfter = async (sqlState: string) => {
    cache.invalidate(new SqlError({ message: '', sqlState }))
    await cache.plan(planOf('books'))
    return counter.reads
  }
  await cache.plan(planOf('books'))

  expect(await readsAfter('42P01')).toBe(1)
  vi.setSystemTime(2999)
  expect(await readsAfter('42883')).toBe(1)
  vi.setSystemTime(3000)
  expect(await readsAfter('23505')).toBe(1)
  expect(await readsAfter('42P01')).toBe(2)
  expect(await readsAfter('42P01')).toBe(2)
})

test('a schema older than 30 seconds is read again in the background', async () => {
  const names = ['books']
  const { cache, counter } = cacheOf(names)
  await cache.plan(planOf('books'))
  names.push('loans')

  vi.setSystemTime(29_999)
  await cache.plan(planOf('books'))
  expect(counter.reads).toBe(1)
  vi.setSystemTime(30_000)
  await cache.plan(planOf('books'))
  await expect.poll(() => cache.exposes('loans')).toBe(true)
  expect(await cache.plan(planOf('loans'))).toBe('loans')
  expect(counter.reads).toBe(2)
})

test('a failed read marks the schema as unreadable, but an outage does not', async () => {
  for (const [error, isUnreadable] of [
    [new TypeError('a mistake'), true],
    [new DatabaseUnavailable('away'), false],
  ] as const) {
    const database = { transaction: () => Promise.reject(error) } as unknown as Database
    const cache = createSchemaCache(database)
    await expect(cache.plan(planOf('books'))).rejects.toBe(error)
    expect(cache.isUnreadable()).toBe(isUnreadable)
  }
})
