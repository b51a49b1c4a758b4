import { expect, test } from 'vitest'
import { watchStolenTime } from './stolen-time.ts'

test('stolen time is the share of processor time that the host gave to other machines', () => {
  const counts = [
    'cpu  100 0 100 700 0 0 0 100 50 0\ncpu0 1 2 3',
    'cpu  150 0 110 780 5 3 2 150 90 0\ncpu0 1 2 3',
  ]
  const stolen = watchStolenTime(() => counts.shift() ?? '')

  expect(stolen()).toBe(50 / 200)
})

test('stolen time is zero on a system that does not report it', () => {
  expect(watchStolenTime(() => '')()).toBe(0)
})
