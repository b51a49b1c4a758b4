/**
 * Data directories of the embedded engine for tests. These directories are copies of one template, because creating a
 * database takes seconds.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '#server/database/database.ts'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/finanzas')

export type TemporaryDirectory = { readonly path: string; readonly remove: () => Promise<void> }

/** Creates an empty directory inside the system's temporary directory. */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'finanzas-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

/**
 * Creates a `DATA_DIR` with a migrated, empty database. The directory contains neither secrets nor an administrator.
 */
export async function migratedDataDirectory(): Promise<TemporaryDirectory> {
  const template = await ensureTemplate()
  const directory = await temporaryDirectory()
  await cp(template, directory.path, { recursive: true })
  return directory
}

/**
 * Returns every row of a bank's tables as text, except the migration history. The bank must not be in use by a
 * server.
 */
export async function rowsOfBank(dataDir: string): Promise<string[]> {
  const { database, owner } = await openPglite(engineDirectoryOf(dataDir))
  const tables = await owner.query(sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables
    where schemaname not in ('pg_catalog', 'information_schema', 'supabase_migrations')`)
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await owner.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
      values: [],
    })
    texts.push(...rows.map(({ row }) => row))
  }
  await database.close()
  return texts
}

/**
 * Returns the template's directory. The first process that needs the template creates it. The template is reused until
 * a migration or the engine changes.
 */
async function ensureTemplate(): Promise<string> {
  const template = join(cache, `template-${await fingerprint()}`)
  if (existsSync(template)) return template
  await mkdir(cache, { recursive: true })
  const outdated = (await readdir(cache)).filter((name) => name.startsWith('template-'))
  for (const name of outdated) await rm(join(cache, name), { recursive: true, force: true })
  const fresh = await temporaryDirectory()
  const { database, owner } = await openPglite(await initialisedEngineDirectory(fresh.path))
  await migrate(owner)
  await database.close()
  const candidate = await mkdtemp(join(cache, 'new-'))
  await cp(fresh.path, candidate, { recursive: true })
  await fresh.remove()
  // If another process has created the template in the meantime, its directory stays, and the directory of this process
  // is removed.
  await rename(candidate, template).catch(() => rm(candidate, { recursive: true, force: true }))
  return template
}

/** Hashes all files from which a new database is created. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['server/database/platform', 'server/database/pglite', 'supabase/migrations']) {
    for (const name of (await readdir(join(root, folder))).toSorted()) {
      if (!name.endsWith('.test.ts')) hash.update(await readFile(join(root, folder, name)))
    }
  }
  hash.update(await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json')))
  return hash.digest('hex').slice(0, 16)
}
