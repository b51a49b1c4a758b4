// Limits that the database enforces. The tests of rate limits pass the time of each use to the database
// (security.md AN-07, DO-04). PostgreSQL's statement timeout and `rest.has_time` limit how long a read may take
// (docs/decisions/0050).
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { limitNames } from '#server/throttle/limits.ts'
import { useBank } from './database.ts'

const bank = useBank(({ owner }) =>
  owner.query(sql`
    insert into private.limits (name, uses_max, window_seconds, wait_seconds_max) values
      ('three', 3, 60, null), ('ten', 10, 60, null), ('one', 1, 60, null), ('with waits', 2, 60, 300)`),
)

const began = Date.parse('2026-11-21T10:00:00Z')

/**
 * Makes an attempt `seconds` seconds after the start time. Returns how many seconds the caller must wait, or 0 if the
 * attempt was counted.
 */
async function take(key: string, seconds: number, limit: string): Promise<number> {
  const moment = new Date(began + seconds * 1000).toISOString()
  const [[answer]] = await bank.asService(
    sql<{ wait: number }>`select private.attempt(${limit}, ${key}, ${moment}) as wait`,
  )
  return answer?.wait ?? -1
}

test('the server and the database have the same limits of attempts', async () => {
  const rows = await bank.owner.query(sql<{ name: string }>`
    select name from private.limits where window_seconds is not null and slots is null and uses_max > 0
      and name not in ('three', 'ten', 'one', 'with waits') order by name`)

  expect(rows.map(({ name }) => name)).toEqual(limitNames.toSorted())
})

test('a window starts with its first use and allows as many uses as its capacity', async () => {
  const key = crypto.randomUUID()
  const limit = 'three'

  expect(await take(key, 0, limit)).toBe(0)
  expect(await take(key, 10, limit)).toBe(0)
  expect(await take(key, 20, limit)).toBe(0)
  expect(await take(key, 20, limit)).toBe(40)
  expect(await take(key, 59.5, limit)).toBe(1)
  expect(await take(key, 60, limit)).toBe(0)
  expect(await take(key, 61, limit)).toBe(0)
})

test('each wait after a full window is twice as long as the previous wait, up to a maximum', async () => {
  const key = crypto.randomUUID()
  const limit = 'with waits'
  await take(key, 0, limit)
  await take(key, 1, limit)

  const taken: number[] = []
  for (let second = 2; second <= 1500; second += 1) {
    if ((await take(key, second, limit)) === 0) taken.push(second)
  }

  expect(taken).toEqual([60, 120, 240, 480, 780, 1080, 1380])
})

test('waits are short again after an hour without use', async () => {
  const key = crypto.randomUUID()
  const limit = 'with waits'
  for (const second of [0, 1, 60, 120]) await take(key, second, limit)

  expect(await take(key, 239, limit)).toBe(1)
  expect(await take(key, 240 + 3600, limit)).toBe(0)
  expect(await take(key, 240 + 3600, limit)).toBe(0)
  expect(await take(key, 240 + 3600, limit)).toBe(60)
})

test('a hundred simultaneous uses count exactly up to the limit', async () => {
  const key = crypto.randomUUID()

  const waits = await Promise.all(Array.from({ length: 100 }, () => take(key, 0, 'ten')))

  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
})

test('a use that one of several limits refuses does not consume the other limits', async () => {
  const [minute, hour] = [crypto.randomUUID(), crypto.randomUUID()]
  const uses = JSON.stringify([
    { limit_name: 'mail to a recipient in an hour', key: hour },
    { limit_name: 'mail to a recipient in a minute', key: minute },
  ])
  const ask = async () => {
    const [[answer]] = await bank.asService(
      sql<{ wait: number }>`select private.attempt_all(${uses}) as wait`,
    )
    return answer?.wait ?? -1
  }

  const waits: number[] = []
  for (let asked = 0; asked < 40; asked += 1) waits.push(await ask())

  expect(waits[0]).toBe(0)
  expect(Math.max(...waits)).toBeLessThanOrEqual(60)
  expect(await bank.owner.query(sql`select used from private.attempts where key = ${hour}`)).toEqual([
    { used: 1 },
  ])
})

test('a refunded use can be consumed again', async () => {
  const key = crypto.randomUUID()
  const limit = 'one'
  await take(key, 0, limit)
  expect(await take(key, 1, limit)).toBe(59)

  await bank.asService(sql`select private.refund_attempt(${key})`)

  expect(await take(key, 2, limit)).toBe(0)
})

test('a use that is refunded after a wait can be consumed immediately, but does not open a new window', async () => {
  const key = crypto.randomUUID()
  const limit = 'with waits'
  const ago = -Math.floor((Date.now() - began) / 1000)
  for (const second of [0, 1, 60]) await take(key, second - ago - 200, limit)

  await bank.asService(sql`select private.refund_attempt(${key})`)

  expect(await take(key, -ago, limit)).toBe(0)
  expect(await take(key, -ago, limit)).toBeGreaterThan(60)
})

const anybody = asCaller({ role: 'anon' }, 'read')
const rowsTested = async (rows: number, milliseconds: number) => {
  const [[answer]] = await bank.database.transaction(anybody, [
    sql<{ count: number }>`
      select count(*) from generate_series(1, ${rows}::integer)
      where case when rest.has_time(${milliseconds}::integer) then true end`,
  ])
  return answer?.count
}

test('the time limit lets a statement check every row while time remains', async () => {
  expect(await rowsTested(5000, 60_000)).toBe(5000)
})

test('the time limit ends a statement at the 101st check after the time has expired', async () => {
  expect(await rowsTested(100, 0)).toBe(100)
  await expect(rowsTested(101, 0)).rejects.toMatchObject({ sqlState: 'FZ408' })
})

test('the server sets a statement timeout of two seconds for reads but not for writes', async () => {
  const customer = await bank.addCustomer()
  const timeoutOf = async (access: 'read' | 'write') => {
    const [[answer]] = await bank.database.transaction(customer.as(access), [
      sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`,
    ])
    return answer?.timeout
  }

  expect(await timeoutOf('read')).toBe('2s')
  expect(await timeoutOf('write')).not.toBe('2s')
})
