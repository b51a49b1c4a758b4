/** The migration of the release in preparation is the text of supabase/schemas. `npm run migration` writes it. */
import { expect, test } from 'vitest'
import { migrationFiles, schemaFiles } from './files.ts'
import { emptyMigration, isReleased, migrationText } from './migration.ts'

const [first, ...later] = migrationFiles()

test('each migration is named after its release', () => {
  expect([first, ...later].map((file) => file?.release)).not.toContain('')
  expect(schemaFiles().length).toBeGreaterThan(50)
})

// From the first release on, the file stays as it is, and tests/database/schemas.test.ts compares the catalogues.
test.skipIf(first === undefined || isReleased(first.release))(
  'the migration of a release in preparation is the text of the schemas',
  () => {
    expect(first?.text === migrationText(first?.release ?? ''), 'run npm run migration').toBe(true)
  },
)

test('a later migration begins and ends like the first one', () => {
  const [begin = '', end = ''] = emptyMigration().split('-- The changes of this release stand here.')

  expect(first?.text).toContain(begin.trim())
  expect(first?.text.endsWith(end.trimStart())).toBe(true)
  expect(begin).toContain('alter default privileges revoke execute on functions from public;')
})
