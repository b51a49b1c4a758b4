import { expect, test } from 'vitest'
import { nextEndedMax } from './transfers.ts'

test.each([
  [19, 20, null],
  [20, 20, 40],
  [180, 180, 200],
  [200, 200, null],
])('if %i ended transfers arrived after a request for %i, the button requests %s', (rows, endedMax, next) => {
  expect(nextEndedMax(rows, endedMax)).toBe(next)
})
