/** Seen red with a gate that takes four. */
import { expect, test } from 'vitest'
import { retriedFailure, retriedLines } from './retried-tests.ts'

const named = (count: number) => Array.from({ length: count }, (_, number) => `unit: a.test.ts › ${number}`)

test('what passed only when tried again is named', () => {
  expect(retriedLines(named(2))).toBe(
    '2 passed only when tried again:\n  unit: a.test.ts › 0\n  unit: a.test.ts › 1',
  )
  expect(retriedLines([])).toBeUndefined()
})

test('three in a run may be the machine’s, four are a failure', () => {
  expect(retriedFailure(named(3))).toBeUndefined()
  expect(retriedFailure(named(4))).toBe('4 tests passed only when tried again, 3 may')
})
