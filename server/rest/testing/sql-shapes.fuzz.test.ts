// Checks which SQL the table API can generate, with 2,000 random requests. `npm run nightly -- fuzz` uses 100,000 other
// requests. To extend the list, review the pairs that this test prints, and add them to golden-shapes.txt.
import { expect, test } from 'vitest'
import { unlistedShapes } from './sql-shapes.ts'

const requests = 2000

test('every pair of neighbouring words in the generated SQL is on the list', { timeout: 60_000 }, () => {
  const { written, unlisted } = unlistedShapes({ requests, seed: 20_261_121 })

  expect(written).toBeGreaterThan(requests / 10)
  expect(unlisted).toEqual([])
})
