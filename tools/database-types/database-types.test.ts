// Checks that the committed types and lists match the migrations. To see this test fail, rename a column in the
// generated types, or remove a bank.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedFiles } from './write.ts'

test('the generated files in contract/ equal the output of `npm run types`', async () => {
  const files = await generatedFiles()

  expect(files.size).toBe(2)
  for (const [path, text] of files) expect(readFileSync(path, 'utf8'), path).toBe(text)
}, 120_000)
