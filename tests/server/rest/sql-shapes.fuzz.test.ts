// Bounds the SQL that the table API can write: 2,000 requests here, 100,000 others in `npm run nightly -- fuzz`. The
// list grows by what this test prints, after a review.
import { expect, test } from 'vitest'
import { unlistedShapes } from './sql-shapes.ts'

const requests = 2000

test('every two neighbouring words of SQL are on the list', { timeout: 60_000 }, () => {
  const { written, unlisted } = unlistedShapes({ requests, seed: 20_261_121 })

  expect(written).toBeGreaterThan(requests / 10)
  expect(unlisted).toEqual([])
})
