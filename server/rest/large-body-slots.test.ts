import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LargeBodySlots, NoSlotForBody, type Slot } from './large-body-slots.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const slotsOf = (slotsMax: number, perNetworkMax = slotsMax) =>
  new LargeBodySlots({ slotsMax, perNetworkMax })
const from = (person: string, network = person) => ({ person, network })
const hasLost = async (slot: Slot) => {
  let isLost = false
  slot.lost.catch((error: unknown) => (isLost = error instanceof NoSlotForBody))
  await Promise.resolve()
  return isLost
}

test('a user cannot take two slots', () => {
  const slots = slotsOf(8)
  const first = slots.take(from('Ana', 'home'))

  expect(() => slots.take(from('Ana', 'office'))).toThrow(NoSlotForBody)
  slots.release(first)
  slots.take(from('Ana'))
})

test('a network cannot take more slots than its limit', () => {
  const slots = slotsOf(8, 2)
  slots.take(from('Ana', 'office'))
  slots.take(from('Luis', 'office'))

  expect(() => slots.take(from('Eva', 'office'))).toThrow(NoSlotForBody)
  slots.take(from('Eva', 'home'))
})

test('a slow body loses its slot to the next body', async () => {
  const slots = slotsOf(2)
  const slow = slots.take(from('slow'))
  const fast = slots.take(from('fast'))
  expect(() => slots.take(from('Ana'))).toThrow(NoSlotForBody)

  vi.advanceTimersByTime(2000)
  slow.add(2)
  fast.add(1_000_000)
  slots.take(from('Ana'))

  expect([await hasLost(slow), await hasLost(fast)]).toEqual([true, false])
})

test('a body that has fully arrived keeps its slot until it is released', async () => {
  const slots = slotsOf(1)
  const whole = slots.take(from('Ana'))
  whole.add(100_000)
  whole.complete()

  vi.advanceTimersByTime(9000)

  expect(() => slots.take(from('Luis'))).toThrow(NoSlotForBody)
  expect(await hasLost(whole)).toBe(false)
})

test('after two seconds the oldest fast body can lose its slot', async () => {
  const slots = slotsOf(2)
  const longest = slots.take(from('longest'))
  vi.advanceTimersByTime(500)
  const later = slots.take(from('later'))
  for (const slot of [longest, later]) slot.add(1_000_000)
  vi.advanceTimersByTime(1499)
  expect(() => slots.take(from('Ana'))).toThrow(NoSlotForBody)

  vi.advanceTimersByTime(1)
  slots.take(from('Ana'))

  expect([await hasLost(longest), await hasLost(later)]).toEqual([true, false])
  expect(() => slots.take(from('Luis'))).toThrow(NoSlotForBody)
})

test('a slow body loses its slot before an older fast body does', async () => {
  const slots = slotsOf(2)
  const fast = slots.take(from('fast'))
  fast.add(1_000_000)
  vi.advanceTimersByTime(1000)
  const slow = slots.take(from('slow'))

  vi.advanceTimersByTime(1000)
  slots.take(from('Ana'))

  expect([await hasLost(fast), await hasLost(slow)]).toEqual([false, true])
})

test('an import gets a slot even if eight accounts in two networks fill all slots by sending 72 KiB a second', async () => {
  const slots = slotsOf(8, 4)
  const hold = (index: number) => {
    const slot = slots.take(from(`account ${index}`, `network ${index % 2}`))
    slot.add((90 + 2 * 72) * 1024)
    return slot
  }
  const held = Array.from({ length: 8 }, (_, index) => hold(index))
  vi.advanceTimersByTime(2000)

  const honest = slots.take(from('Ana'))
  honest.add(200 * 1024)

  // Senders whose bodies lose their slots try again at once.
  for (const [index] of held.entries()) {
    try {
      hold(index)
    } catch (error) {
      expect(error).toBeInstanceOf(NoSlotForBody)
    }
  }
  vi.advanceTimersByTime(1999)
  expect(() => slots.take(from('Luis'))).toThrow(NoSlotForBody)
  expect(await hasLost(honest)).toBe(false)
})

test('a slow body loses its slot to another body of the same sender', async () => {
  const slots = slotsOf(8)
  const slow = slots.take(from('Ana'))

  vi.advanceTimersByTime(2000)
  slots.take(from('Ana'))

  expect(await hasLost(slow)).toBe(true)
})
