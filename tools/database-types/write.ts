// `npm run types`: writes the types and lists in contract/ that come from a migrated database.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { catalogueStatement } from '#server/rest/schema/catalogue.ts'
import { schemaOf } from '#server/rest/schema/read-schema.ts'
import { openTestDatabase } from '#testing/database.ts'
import { columnRowsStatement, columnRulesOf } from './column-rules.ts'
import { listsOf } from './lists.ts'
import { typesOf } from './types-of-schema.ts'

const typesPath = 'contract/database-types.ts'
const banksPath = 'contract/transfers/banks.ts'

if (import.meta.main) for (const [path, text] of await generatedFiles()) writeFileSync(path, text)

/** Returns the complete texts of the files that match the current migrations, by path. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const bank = await openTestDatabase()
  try {
    const [catalogue] = await bank.owner.query(catalogueStatement)
    if (catalogue === undefined) throw new Error('The catalogue answered no row.')
    const rules = columnRulesOf(await bank.owner.query(columnRowsStatement))
    const schema = schemaOf(catalogue)
    const { lists, banks } = await listsOf(bank.owner, schema, rules)
    return new Map([
      [typesPath, await formatted(typesPath, typesOf(schema, rules) + lists)],
      [banksPath, await formatted(banksPath, banks)],
    ])
  } finally {
    await bank.close()
  }
}

async function formatted(path: string, source: string): Promise<string> {
  const formatter = execFile('node_modules/.bin/oxfmt', ['--stdin-filepath', path])
  formatter.stdin?.end(source)
  if (formatter.stdout === null) throw new Error('The formatter has no output.')
  return text(formatter.stdout)
}
