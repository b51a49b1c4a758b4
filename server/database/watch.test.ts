// The clock is passed in; timers are vitest's.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, DatabaseUnavailable } from './database.ts'
import { DatabaseWatch } from './watch.ts'

let isAway = false
let databaseMs = 0
let answerMs = 0
let serverMs = 0
let events: unknown[] = []
let watch: DatabaseWatch

const database = {
  transaction: () => {
    if (isAway) return Promise.reject(new DatabaseUnavailable('away'))
    serverMs += answerMs
    return Promise.resolve([[{ ms: String(databaseMs) }]])
  },
} as unknown as Database

beforeEach(async () => {
  vi.useFakeTimers()
  isAway = false
  databaseMs = 1_000_000
  answerMs = 0
  serverMs = 1_000_000
  events = []
  watch = new DatabaseWatch(
    database,
    {
      onLongAway: () => events.push('long away'),
      onClockDiffers: (offsetSeconds) => events.push(offsetSeconds),
    },
    () => serverMs,
  )
  await watch.ask()
})
afterEach(() => {
  watch.close()
  vi.useRealTimers()
})

test('ten seconds without an answer are said once, and again only after an answer', async () => {
  isAway = true
  await vi.advanceTimersByTimeAsync(9_000)
  expect(events).toEqual([])
  await vi.advanceTimersByTimeAsync(31_000)
  expect(events).toEqual(['long away'])

  isAway = false
  await vi.advanceTimersByTimeAsync(2_000)
  isAway = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(events).toEqual(['long away', 'long away'])
})

test('clocks that differ by more than tokens allow are told, in either direction, once until they agree again', async () => {
  expect(watch.offsetSeconds).toBe(0)
  serverMs -= 29_000
  await watch.ask()
  expect([watch.clockDiffers, watch.offsetSeconds]).toEqual([false, 29])
  serverMs -= 2_000
  await watch.ask()
  expect(watch.clockDiffers).toBe(true)
  serverMs += 62_000
  await watch.ask()
  expect(watch.clockDiffers).toBe(true)
  serverMs = 1_000_000
  await watch.ask()
  expect(watch.clockDiffers).toBe(false)

  expect(events).toEqual([31])
})

test('an answer that takes long says nothing about the clock', async () => {
  answerMs = 70_000
  await watch.ask()

  expect(watch.clockDiffers).toBe(false)
})
