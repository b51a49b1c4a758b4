import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LargeBodyPlaces, NoPlaceForBody, type Place } from './large-body-places.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const placesOf = (placesMax: number, perNetworkMax = placesMax) =>
  new LargeBodyPlaces({ placesMax, perNetworkMax })
const from = (person: string, network = person) => ({ person, network })
const hasLost = async (place: Place) => {
  let isLost = false
  place.lost.catch((error: unknown) => (isLost = error instanceof NoPlaceForBody))
  await Promise.resolve()
  return isLost
}

test('a user cannot take two slots', () => {
  const places = placesOf(8)
  const first = places.take(from('Ana', 'home'))

  expect(() => places.take(from('Ana', 'office'))).toThrow(NoPlaceForBody)
  places.release(first)
  places.take(from('Ana'))
})

test('a network cannot take more slots than its limit', () => {
  const places = placesOf(8, 2)
  places.take(from('Ana', 'office'))
  places.take(from('Luis', 'office'))

  expect(() => places.take(from('Eva', 'office'))).toThrow(NoPlaceForBody)
  places.take(from('Eva', 'home'))
})

test('a slow body loses its slot to the next body', async () => {
  const places = placesOf(2)
  const slow = places.take(from('slow'))
  const fast = places.take(from('fast'))
  expect(() => places.take(from('Ana'))).toThrow(NoPlaceForBody)

  vi.advanceTimersByTime(2000)
  slow.add(2)
  fast.add(1_000_000)
  places.take(from('Ana'))

  expect([await hasLost(slow), await hasLost(fast)]).toEqual([true, false])
})

test('a body that has fully arrived keeps its slot until it is released', async () => {
  const places = placesOf(1)
  const whole = places.take(from('Ana'))
  whole.add(100_000)
  whole.complete()

  vi.advanceTimersByTime(9000)

  expect(() => places.take(from('Luis'))).toThrow(NoPlaceForBody)
  expect(await hasLost(whole)).toBe(false)
})

test('after two seconds the oldest fast body can lose its slot', async () => {
  const places = placesOf(2)
  const longest = places.take(from('longest'))
  vi.advanceTimersByTime(500)
  const later = places.take(from('later'))
  for (const place of [longest, later]) place.add(1_000_000)
  vi.advanceTimersByTime(1499)
  expect(() => places.take(from('Ana'))).toThrow(NoPlaceForBody)

  vi.advanceTimersByTime(1)
  places.take(from('Ana'))

  expect([await hasLost(longest), await hasLost(later)]).toEqual([true, false])
  expect(() => places.take(from('Luis'))).toThrow(NoPlaceForBody)
})

test('a slow body loses its slot before an older fast body does', async () => {
  const places = placesOf(2)
  const fast = places.take(from('fast'))
  fast.add(1_000_000)
  vi.advanceTimersByTime(1000)
  const slow = places.take(from('slow'))

  vi.advanceTimersByTime(1000)
  places.take(from('Ana'))

  expect([await hasLost(fast), await hasLost(slow)]).toEqual([false, true])
})

test('an import gets a slot although eight accounts in two networks fill all slots with bodies at 72 KiB a second', async () => {
  const places = placesOf(8, 4)
  const hold = (index: number) => {
    const place = places.take(from(`account ${index}`, `network ${index % 2}`))
    place.add((90 + 2 * 72) * 1024)
    return place
  }
  const held = Array.from({ length: 8 }, (_, index) => hold(index))
  vi.advanceTimersByTime(2000)

  const honest = places.take(from('Ana'))
  honest.add(200 * 1024)

  // Senders whose bodies lose their slots try again at once.
  for (const [index] of held.entries()) {
    try {
      hold(index)
    } catch (error) {
      expect(error).toBeInstanceOf(NoPlaceForBody)
    }
  }
  vi.advanceTimersByTime(1999)
  expect(() => places.take(from('Luis'))).toThrow(NoPlaceForBody)
  expect(await hasLost(honest)).toBe(false)
})

test('a slow body loses its slot to another body of the same sender', async () => {
  const places = placesOf(8)
  const slow = places.take(from('Ana'))

  vi.advanceTimersByTime(2000)
  places.take(from('Ana'))

  expect(await hasLost(slow)).toBe(true)
})
