import { expect, test } from 'vitest'
import { openTestDatabase } from './database.ts'
import { findMisserved } from './schema-property.ts'

// More of them, with other seeds, in `npm run nightly -- schemas`.
const size = { runs: 8, seed: 20_261_122 }

test('each object is served as the database has it and affects no other', { timeout: 120_000 }, async () => {
  const bank = await openTestDatabase()
  try {
    expect(await findMisserved(bank, size)).toBeNull()
  } finally {
    await bank.close()
  }
})
