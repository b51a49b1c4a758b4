import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable } from './database.ts'
import { DatabaseWatch } from './watch.ts'

let isAway = false
let hangs = false
/** Milliseconds by which the database's clock is ahead of the server's clock. */
let offsetMs = 0
let answerMs = 0
let events: unknown[] = []
let watch: DatabaseWatch

const database = {
  transaction: () => {
    if (hangs) return new Promise(() => undefined)
    if (isAway) return Promise.reject(new DatabaseUnavailable('away'))
    const databaseMs = Date.now() + offsetMs
    vi.setSystemTime(Date.now() + answerMs)
    return Promise.resolve([[{ ms: String(databaseMs) }]])
  },
} as unknown as Database

beforeEach(async () => {
  vi.useFakeTimers()
  isAway = false
  hangs = false
  offsetMs = 0
  answerMs = 0
  events = []
  watch = new DatabaseWatch(database, {
    onAway: (error) => events.push(error instanceof Error ? error.message : error),
    onBack: (seconds) => events.push(`back after ${seconds} s`),
    onLongAway: () => events.push('long away'),
    onClockDiffers: (offsetSeconds) => events.push(offsetSeconds),
  })
  await watch.ask()
})
afterEach(() => {
  watch.close()
  vi.useRealTimers()
})

test('the start and the end of an outage are each logged once, however many requests fail', async () => {
  isAway = true
  await vi.advanceTimersByTimeAsync(9_000)
  await watch.ask().catch(() => undefined)
  expect(events).toEqual(['away'])
  expect(watch.isAway).toBe(true)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(events).toEqual(['away', 'long away'])

  isAway = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(events).toEqual(['away', 'long away', 'back after 42 s'])
  expect(watch.isAway).toBe(false)
  isAway = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(events.slice(3)).toEqual(['away', 'long away'])
})

test('one failed connection does not count as an outage', async () => {
  isAway = true
  await watch.ask().catch(() => undefined)
  isAway = false
  await vi.advanceTimersByTimeAsync(10_000)

  expect(events).toEqual([])
})

test('a database that hangs for ten seconds counts as unavailable, although no request has failed', async () => {
  hangs = true
  await vi.advanceTimersByTimeAsync(9_000)
  expect(events).toEqual([])
  await vi.advanceTimersByTimeAsync(3_000)

  expect(events).toEqual([null, 'long away'])
})

test('a difference between the clocks that exceeds the tokens’ leeway is logged once', async () => {
  expect(watch.offsetSeconds).toBe(0)
  offsetMs = 29_000
  await watch.ask()
  expect([watch.clockDiffers, watch.offsetSeconds]).toEqual([false, 29])
  offsetMs = 31_000
  await watch.ask()
  expect(watch.clockDiffers).toBe(true)
  offsetMs = -31_000
  await watch.ask()
  expect(watch.clockDiffers).toBe(true)
  offsetMs = 0
  await watch.ask()
  expect(watch.clockDiffers).toBe(false)

  expect(events).toEqual([31])
})

test('a slow answer is not used to compare the clocks', async () => {
  answerMs = 70_000
  await watch.ask()

  expect(watch.clockDiffers).toBe(false)
})
