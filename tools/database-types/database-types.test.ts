// Checks that the committed types match the migrations. To see this test fail, rename a column in the generated
// file.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { typesPath, writtenTypes } from './write.ts'

test('contract/database-types.ts equals the output of `npm run types`', async () => {
  expect(readFileSync(typesPath, 'utf8')).toBe(await writtenTypes())
}, 120_000)
