// The schema of an empty bank: an embedded engine in a directory that is gone afterwards, and every migration.
import { openTestDatabase } from '#testing/database.ts'
import { catalogueStatement } from '#server/rest/schema/catalogue.ts'
import { schemaOf } from '#server/rest/schema/read-schema.ts'
import type { Schema } from '#server/rest/schema/schema.ts'
import { type ColumnRules, columnRowsStatement, columnRulesOf } from './column-rules.ts'

/** Reads the schema and the rules of its columns. */
export async function readMigratedSchema(): Promise<{ schema: Schema; rules: ColumnRules }> {
  const bank = await openTestDatabase()
  try {
    const [catalogue] = await bank.owner.query(catalogueStatement)
    if (catalogue === undefined) throw new Error('The catalogue answered no row.')
    return {
      schema: schemaOf(catalogue),
      rules: columnRulesOf(await bank.owner.query(columnRowsStatement)),
    }
  } finally {
    await bank.close()
  }
}
