// Bounds the SQL that the table API can write, with 2,000 requests. `npm run nightly -- fuzz` sends 100,000 other
// requests. To extend the list, review the pairs that this test prints and add them.
import { expect, test } from 'vitest'
import { unlistedShapes } from './sql-shapes.ts'

const requests = 2000

test('every pair of neighbouring words in the written SQL is on the list', { timeout: 60_000 }, () => {
  const { written, unlisted } = unlistedShapes({ requests, seed: 20_261_121 })

  expect(written).toBeGreaterThan(requests / 10)
  expect(unlisted).toEqual([])
})
