/**
 * The arithmetic of the bench. Seen red with the ratio of the medians in the place of the median of the ratios, with
 * `>` in the place of `>=`, with NaN meeting a line, with answers that are not compared, and with the same side always first.
 */
import { expect, test } from 'vitest'
import { atLeast, atMost, known, median, missedOf, quantile, ratioOf } from './metric.ts'
import { inTurns, rateFigures, requireEqualAnswers } from './in-turns.ts'

test('a ratio is the median of the rounds, so that one disturbed round decides nothing', () => {
  expect(ratioOf([100, 10, 110], [200, 200, 200])).toBe(0.5)
  // Each side was disturbed in another round: the ratio of their medians would be 0.9.
  expect(ratioOf([10, 100, 90], [20, 400, 100])).toBe(0.5)
})

test('sides of different numbers of rounds have no ratio', () => {
  expect(() => ratioOf([1, 2], [1])).toThrow('2 rounds against 1')
  expect(() => ratioOf([], [])).toThrow()
})

test('the middle and the upper end of what was measured', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(quantile([5, 1, 4, 2, 3], 0.95)).toBe(5)
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3)
})

test('a figure on its line is met, one beyond it is missed', () => {
  expect(atLeast('share', 0.45, 0.45)).toMatchObject({ passed: true, line: '≥ 0.45 ×' })
  expect(atLeast('share', 0.449, 0.45).passed).toBe(false)
  expect(atMost('memory', 240, 240, 'MB').passed).toBe(true)
  expect(atMost('memory', 240.1, 240, 'MB').passed).toBe(false)
})

test('what could not be measured is missed', () => {
  expect(atLeast('share', Number.NaN, 0.45).passed).toBe(false)
  expect(atMost('memory', Number.NaN, 240, 'MB').passed).toBe(false)
})

test('what was missed is named with its line; metrics without one miss nothing', () => {
  const metrics = [known('rate', 5, '/s'), atLeast('share', 0.3, 0.45)]

  expect(missedOf('dashboard', metrics)).toEqual(['dashboard: share is 0.3 ×, line ≥ 0.45 ×'])
})

test('every side is measured once in each round, and every round begins with another', async () => {
  const order: string[] = []
  const side = (name: string) => ({
    name,
    async measure() {
      order.push(name)
      return 1
    },
  })

  const rates = await inTurns([side('a'), side('b'), side('c')], 3)

  expect(order.join('')).toBe('abcbcacab')
  expect(rates.get('b')).toEqual([1, 1, 1])
})

test('sides that answer something else are never measured', async () => {
  let isMeasured = false
  const side = (name: string, rows: unknown) => ({
    name,
    async measure() {
      isMeasured = true
      return 1
    },
    answer: async () => rows,
  })

  await expect(inTurns([side('a', [[1]]), side('b', [[2]])], 1)).rejects.toThrow(
    'b answers something else than a',
  )
  await expect(requireEqualAnswers([side('a', [])])).rejects.toThrow('a answered nothing')
  expect(isMeasured).toBe(false)
})

test('a line is drawn against a side that was measured', () => {
  const rates = new Map([
    ['ours', [50, 60]],
    ['limit', [100, 100]],
  ])

  expect(rateFigures(rates, { limit: 0.45 }).filter(({ threshold }) => threshold !== undefined)).toHaveLength(
    1,
  )
  expect(() => rateFigures(rates, { absent: 2 })).toThrow('absent')
})
