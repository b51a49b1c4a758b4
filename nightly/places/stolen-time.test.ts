/** Seen red with stretches that are not joined, that are not as long again, that begin when it was seen, and whose common part counts twice. */
import { expect, test } from 'vitest'
import { type Taken, disturbancesOf, isIn, lengthOf } from './stolen-time.ts'

/** Looks of a second each, with what was taken in them. */
function looksOf(...shares: number[]): Taken[] {
  return shares.map((share, second) => ({ from: second * 1000, to: (second + 1) * 1000, share }))
}

test('seconds in which a fifth was taken are the program’s own', () => {
  expect(disturbancesOf(looksOf(0, 0.2, 0.1))).toEqual([])
})

test('seconds in which more was taken are not, nor the one before them, nor as many after them', () => {
  expect(disturbancesOf(looksOf(0, 0.5, 0.3, 0, 0, 0, 0.9))).toEqual([
    { from: 0, to: 5000 },
    { from: 5000, to: 8000 },
  ])
  expect(disturbancesOf(looksOf(0.5, 0))).toEqual([{ from: 0, to: 2000 }])
})

test('what began before, ended after or lies within one is disturbed', () => {
  const stretches = [{ from: 1000, to: 2000 }]

  expect([
    isIn(stretches, { from: 0, to: 1001 }),
    isIn(stretches, { from: 1999, to: 3000 }),
    isIn(stretches, { from: 1200, to: 1300 }),
    isIn(stretches, { from: 0, to: 3000 }),
  ]).toEqual([true, true, true, true])
  expect([isIn(stretches, { from: 0, to: 1000 }), isIn(stretches, { from: 2000, to: 3000 })]).toEqual([
    false,
    false,
  ])
})

test('a second of two stretches counts once, and none after the end', () => {
  const stretches = [
    { from: 0, to: 4000 },
    { from: 3000, to: 5000 },
    { from: 8000, to: 12_000 },
  ]

  expect(lengthOf(stretches, 10_000)).toBe(7000)
})
