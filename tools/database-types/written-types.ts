// The file of types as it should be: of the migrations that there are, and formatted.
import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { readMigratedSchema } from './migrated-schema.ts'
import { typesOf } from './types-of-schema.ts'

/** Where the types stand. */
export const typesPath = 'contract/database-types.ts'

/** The whole text of the file. */
export async function writtenTypes(): Promise<string> {
  const { schema, rules } = await readMigratedSchema()
  return formatted(typesOf(schema, rules))
}

async function formatted(source: string): Promise<string> {
  const formatter = execFile('node_modules/.bin/oxfmt', ['--stdin-filepath', typesPath])
  formatter.stdin?.end(source)
  if (formatter.stdout === null) throw new Error('The formatter has no output.')
  return text(formatter.stdout)
}
