import { expect, test } from 'vitest'
import { watchStolenTime } from './stolen-time.ts'

test('it is the part of all processors’ time that the host gave to others since it was watched', () => {
  const counts = [
    'cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 2 3',
    'cpu  150 0 110 780 5 3 2 150 90 0\ncpu0 1 2 3',
  ]
  const stolen = watchStolenTime(() => counts.shift() ?? '')

  expect(stolen()).toBe(50 / 200)
})

test('where nobody counts it nothing is known to be taken', () => {
  expect(watchStolenTime(() => '')()).toBe(0)
})
