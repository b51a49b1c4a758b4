// The schema of an empty bank: an embedded engine in a directory that is gone afterwards, and every migration.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initialisedEngineDirectory } from '#server/database/data-directory.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite.ts'
import { catalogueStatement } from '#server/rest/catalogue.ts'
import { type Schema, schemaOf } from '#server/rest/schema.ts'
import { type ColumnRules, columnRowsStatement, columnRulesOf } from './column-rules.ts'

/** Reads the schema and the rules of its columns. */
export async function readMigratedSchema(): Promise<{ schema: Schema; rules: ColumnRules }> {
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-types-'))
  try {
    const { database, owner } = await openPglite(await initialisedEngineDirectory(directory))
    try {
      await migrate(owner)
      const [catalogue] = await owner.query(catalogueStatement)
      if (catalogue === undefined) throw new Error('The catalogue answered no row.')
      return {
        schema: schemaOf(catalogue),
        rules: columnRulesOf(await owner.query(columnRowsStatement)),
      }
    } finally {
      await database.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
