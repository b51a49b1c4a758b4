// `npm run types`: writes contract/database-types.ts from the catalogue of a migrated database.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { catalogueStatement } from '#server/rest/schema/catalogue.ts'
import { schemaOf } from '#server/rest/schema/read-schema.ts'
import { openTestDatabase } from '#testing/database.ts'
import { columnRowsStatement, columnRulesOf } from './column-rules.ts'
import { typesOf } from './types-of-schema.ts'

export const typesPath = 'contract/database-types.ts'

if (import.meta.main) writeFileSync(typesPath, await writtenTypes())

/** Returns the complete text of the file that matches the current migrations. */
export async function writtenTypes(): Promise<string> {
  const bank = await openTestDatabase()
  try {
    const [catalogue] = await bank.owner.query(catalogueStatement)
    if (catalogue === undefined) throw new Error('The catalogue answered no row.')
    const rules = columnRulesOf(await bank.owner.query(columnRowsStatement))
    return await formatted(typesOf(schemaOf(catalogue), rules))
  } finally {
    await bank.close()
  }
}

async function formatted(source: string): Promise<string> {
  const formatter = execFile('node_modules/.bin/oxfmt', ['--stdin-filepath', typesPath])
  formatter.stdin?.end(source)
  if (formatter.stdout === null) throw new Error('The formatter has no output.')
  return text(formatter.stdout)
}
