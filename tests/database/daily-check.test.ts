/** The lease of the daily check, among servers of one database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { CheckLease } from '#server/ledger/check-lease.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'

const daySeconds = 24 * 3600

let db: TestDatabase
let one: CheckLease
let other: CheckLease

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.owner.query(sql`delete from ledger.daily_check`)
  one = new CheckLease(db.database)
  other = new CheckLease(db.database)
})

test('before the first check it is anybody’s turn, and nothing was found', async () => {
  expect(await one.read()).toEqual({ isFree: true, ageSeconds: null, isBroken: false })
})

test('of two servers that see at the same moment that it is due, one gets the turn', async () => {
  const taken = await Promise.all([one.acquire(daySeconds), other.acquire(daySeconds)])

  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('while one is at it the other waits; then both know what was found, and neither begins again that day', async () => {
  await one.acquire(daySeconds)
  expect(await other.read()).toMatchObject({ isFree: false })
  expect(await one.read()).toMatchObject({ isFree: true })

  await one.release(true)

  const seen = await other.read()
  expect(seen).toMatchObject({ isFree: true, isBroken: true })
  expect(seen.ageSeconds).toBeLessThan(60)
  expect(await other.acquire(daySeconds)).toBe(false)
})

test('a day later it is due again, and what was found last is said until then', async () => {
  await one.acquire(daySeconds)
  await one.release(true)
  await db.owner.query(sql`update ledger.daily_check set ended_at = ended_at - interval '1 day'`)

  expect(await other.acquire(daySeconds)).toBe(true)
  expect(await one.read()).toMatchObject({ isFree: false, isBroken: true })
})

test('who is silent for too long loses the turn, and what they say then does not count', async () => {
  await one.acquire(daySeconds)
  await db.owner.query(sql`update ledger.daily_check set held_until = now()`)

  expect(await other.read()).toMatchObject({ isFree: true })
  expect(await other.acquire(daySeconds)).toBe(true)
  await one.release(true)

  expect(await one.read()).toEqual({ isFree: false, ageSeconds: null, isBroken: false })
})

test('a check that was broken off leaves what the last one found, and the turn to anybody', async () => {
  await one.acquire(daySeconds)
  await one.release(null)

  expect(await other.read()).toEqual({ isFree: true, ageSeconds: null, isBroken: false })
  expect(await other.acquire(daySeconds)).toBe(true)
})
