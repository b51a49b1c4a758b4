/**
 * `npm run migration`: writes the migration of the release in preparation. The first release has one file, the whole
 * schema. Each later release adds a file that an engineer writes; for such a release, the command creates the empty file
 * (`npm run migration -- --version 0.5.0`) and lists the objects that the migrations and the schemas do not share.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { releasedMigrations } from '#server/database/migrate.ts'
import { openEmptyDatabase } from '#testing/database.ts'
import { compareVersions, readReleases } from '#tools/release/releases.ts'
import { catalogueLines } from './catalogue.ts'
import { assembledSchema, migrationFiles, newMigrationPath, schemaFiles } from './files.ts'

if (import.meta.main) {
  const { values } = parseArgs({ options: { version: { type: 'string' } } })
  const [first, ...later] = migrationFiles()
  if (first !== undefined && later.length === 0 && !isReleased(first.release)) {
    writeFileSync(first.path, migrationText(first.release))
  } else {
    if (values.version !== undefined) prepare(newMigrationPath(values.version))
    for (const line of await difference()) console.log(line)
  }
}

/** Returns the text of the first release's migration. */
export function migrationText(release: string): string {
  return `-- Finanzas ${release}. Written by \`npm run migration\` from supabase/schemas; do not edit.\n\n${assembledSchema()}`
}

/** Returns whether the folder `releases` has this release or a later one. */
export function isReleased(release: string): boolean {
  return readReleases().some(({ version }) => compareVersions(version, release) >= 0)
}

function prepare(path: string): void {
  if (!existsSync(path)) writeFileSync(path, emptyMigration())
}

/** Returns the beginning and the end of a later migration, whose functions must not be callable by default either. */
export function emptyMigration(): string {
  return schemaFiles()
    .filter(({ path }) => path === 'ground/begin.sql' || path === 'ground/end.sql')
    .map(({ text }) => text)
    .join('\n-- The changes of this release stand here.\n\n')
}

/** Returns the objects of the migrations (-) and of the schemas (+) that the other does not have in the same form. */
export async function difference(): Promise<string[]> {
  const { platform } = releasedMigrations()
  const product = [{ version: '1', name: 'schemas', text: assembledSchema() }]
  const [migrated, assembled] = await Promise.all(
    [releasedMigrations(), { platform, product }].map(async (release) => {
      const database = await openEmptyDatabase(release)
      const lines = await catalogueLines(database.owner)
      await database.close()
      return new Set(lines)
    }),
  )
  return [
    ...[...(migrated ?? [])].filter((line) => assembled?.has(line) === false).map((line) => `- ${line}`),
    ...[...(assembled ?? [])].filter((line) => migrated?.has(line) === false).map((line) => `+ ${line}`),
  ]
}
