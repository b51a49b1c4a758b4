import { expect, test } from 'vitest'
import { readSchema } from '#server/rest/schema/read-schema.ts'
import { openTestDatabase } from './database.ts'

test('a view’s column counts as indexed if the underlying table column is indexed', async () => {
  const bank = await openTestDatabase()
  try {
    const { tables } = await readSchema(bank.database)
    const indexed = tables.get('journal_entries')?.indexedColumns

    // If these columns did not count as indexed, the server would read all earlier entries for each page of a long
    // journal.
    expect(indexed).toContain('seq')
    expect(indexed).toContain('user_id')
    expect(indexed).not.toContain('delta')
    expect(indexed).not.toContain('hash')
  } finally {
    await bank.close()
  }
})
