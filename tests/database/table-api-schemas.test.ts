import { expect, test } from 'vitest'
import { openTestDatabase } from './database.ts'
import { findMisserved } from './schema-property.ts'

// `npm run nightly -- schemas` tries more schemas with different seeds.
const size = { runs: 8, seed: 20_261_122 }

test(
  'the table API returns the same results as the database for random schemas',
  { timeout: 300_000 },
  async () => {
    const bank = await openTestDatabase()
    try {
      const { finding, objects } = await findMisserved(bank, size)

      expect(finding).toBeNull()
      expect(objects).toBeGreaterThan(size.runs)
    } finally {
      await bank.close()
    }
  },
)
