import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  RefusalPace,
  betweenAllRefusalsMs,
  betweenRefusalsMs,
  heldMsMax,
  immediateRefusals,
} from './refusal-pace.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Asks for several turns at the same time. Returns a function that returns the number of turns granted so far. */
function takeTurns(pace: RefusalPace, count: number, network = '10.0.0.1'): () => Promise<number> {
  let come = 0
  for (let index = 0; index < count; index += 1) void pace.turn(network).then(() => (come += 1))
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return come
  }
}

test('the first refusals are sent at once, and later refusals are sent one after the other', async () => {
  const come = takeTurns(new RefusalPace(), immediateRefusals + 3)

  expect(await come()).toBe(immediateRefusals)
  await vi.advanceTimersByTimeAsync(betweenRefusalsMs)
  expect(await come()).toBe(immediateRefusals + 1)
  await vi.advanceTimersByTimeAsync(2 * betweenRefusalsMs)
  expect(await come()).toBe(immediateRefusals + 3)
})

test('a refusal is delayed by at most two seconds', async () => {
  const come = takeTurns(new RefusalPace(), 1000)

  await vi.advanceTimersByTimeAsync(heldMsMax)

  expect(await come()).toBe(1000)
})

test('after some time without refusals, a network’s next refusals are not delayed', async () => {
  const pace = new RefusalPace()
  takeTurns(pace, 1000)
  await vi.advanceTimersByTimeAsync(2 * heldMsMax)

  const come = takeTurns(pace, 1)

  expect(await come()).toBe(1)
})

test('a network with many refusals does not delay the refusal of another network', async () => {
  const pace = new RefusalPace()
  takeTurns(pace, 1000)

  const come = takeTurns(pace, 1, '10.0.0.2')

  expect(await come()).toBe(1)
})

test('twenty networks are not refused more often than one pace for all of them allows', async () => {
  const pace = new RefusalPace()
  const networks = Array.from({ length: 20 }, (_, host) =>
    takeTurns(pace, immediateRefusals + 5, `10.0.2.${host}`),
  )
  const come = async () =>
    (await Promise.all(networks.map((each) => each()))).reduce((sum, each) => sum + each)
  expect(await come()).toBe(20 * immediateRefusals)

  await vi.advanceTimersByTimeAsync(50 * betweenAllRefusalsMs)

  expect(await come()).toBeLessThanOrEqual(20 * immediateRefusals + 50)
})

test('a network is forgotten after its refusals have been sent', async () => {
  const pace = new RefusalPace()
  for (let host = 0; host < 1000; host += 1) takeTurns(pace, 1, `10.0.1.${host}`)
  await vi.advanceTimersByTimeAsync(2 * heldMsMax)

  takeTurns(pace, 1)

  expect(pace.size).toBe(1)
})
