import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  barPair,
  ceilingOf,
  cumulative,
  isLabelled,
  linePath,
  netBar,
  netScale,
  side,
  xOfDay,
  yOf,
  zeroOf,
} from './geometry.ts'

test('the ceiling is a round number between the value and twice the value', () => {
  expect([0, 1, 1.2, 2.1, 2.9, 9, 87_000].map(ceilingOf)).toEqual([1, 1, 2, 3, 3, 10, 100_000])
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e16, noNaN: true }), (value) => {
      expect(ceilingOf(value)).toBeGreaterThanOrEqual(value)
      expect(ceilingOf(value)).toBeLessThanOrEqual(value * 2)
    }),
  )
})

test('cumulative spending never falls', () => {
  const spent = new Map([
    [2, 10],
    [4, 5],
  ])

  expect(cumulative((day) => spent.get(day) ?? 0, 5)).toEqual([0, 10, 10, 15, 15])
  expect(cumulative(() => 1, 0)).toEqual([])
})

test('the first day is at the left edge, and the last day of the longer month at the right edge', () => {
  expect([xOfDay(1, 31), xOfDay(16, 31), xOfDay(31, 31)]).toEqual([0, 0.5, 1])
})

test('no amount is drawn outside the chart', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true }),
      fc.double({ min: 1, max: 1e16, noNaN: true }),
      (value, ceiling) => {
        expect(yOf(value, ceiling)).toBeGreaterThanOrEqual(0)
        expect(yOf(value, ceiling)).toBeLessThanOrEqual(1)
      },
    ),
  )
})

test('a line has a point for each day, and a larger amount is drawn higher', () => {
  expect(linePath([0, 50, 100], { daysMax: 31, ceiling: 100 })).toBe('M0.0 1000.0L33.3 500.0L66.7 0.0')
  expect(linePath([7], { daysMax: 31, ceiling: 14 })).toBe('M0.0 500.0')
})

test('a pair of bars is centred in its column with a gap between the bars', () => {
  const [first, second] = barPair([50, 100], { column: 2, count: 6, ceiling: 100 })

  expect(first.y + first.height).toBe(side)
  expect(second).toMatchObject({ y: 0, height: side })
  expect(first.height).toBe(side / 2)
  expect(first.x + first.width).toBeLessThan(second.x)
  expect((first.x + second.x + second.width) / 2).toBeCloseTo((2.5 * side) / 6)
})

test('the bars of a single month are centred, and as narrow as in a chart of six months', () => {
  const [first, second] = barPair([50, 100], { column: 0, count: 1, ceiling: 100 })
  const [ofSix] = barPair([50, 100], { column: 0, count: 6, ceiling: 100 })

  expect(first.width).toBe(ofSix.width)
  expect((first.x + second.x + second.width) / 2).toBeCloseTo(side / 2)
})

test('zero has no bar, but a small amount has a visible bar', () => {
  const [nothing, little] = barPair([0, 1], { column: 0, count: 6, ceiling: 1_000_000 })

  expect(nothing.height).toBe(0)
  expect(little.height).toBeGreaterThan(0)
})

test('the bar of a month with savings is above zero, and the bar of an overspent month is below zero', () => {
  const scale = netScale([300, -100])
  const [saved, overspent] = [300, -100].map((value, column) => netBar(value, { column, count: 6, ...scale }))

  expect(scale).toEqual({ ceiling: 300, floor: 100 })
  expect(saved).toMatchObject({ y: 0, height: 0.75 * side })
  expect(overspent).toMatchObject({ y: 0.75 * side, height: 0.25 * side })
  expect(netBar(0, { column: 0, count: 6, ...scale }).height).toBe(0)
})

test('the zero line is at the bottom if no month was overspent, and otherwise keeps a distance from both edges', () => {
  expect(zeroOf(netScale([300, 0]))).toBe(1)
  expect(zeroOf(netScale([4000, -1]))).toBe(0.8)
  expect(zeroOf(netScale([1, -4000]))).toBe(0.2)
})

test('a chart with many labels draws only some of them, but always the last label', () => {
  const standing = (count: number, most: number) =>
    Array.from({ length: count }, (_, index) => index).filter((index) => isLabelled(index, { count, most }))

  expect(standing(6, 6)).toEqual([0, 1, 2, 3, 4, 5])
  expect(standing(12, 6)).toEqual([1, 3, 5, 7, 9, 11])
  expect(standing(121, 6).length).toBeLessThanOrEqual(6)
  expect(standing(1, 6)).toEqual([0])
})
