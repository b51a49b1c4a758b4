/** Vitest's global set-up of the database tests: what all files of one engine start from. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { startCluster } from '#testing/postgres/cluster.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    /** The embedded engine's directory to copy: initialised and migrated. */
    migratedDirectory: string
    /** The owner's address on a PostgreSQL cluster of the tests' own. */
    ownerUrl: string
    /** A superuser's address on the same cluster. */
    superuserUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.config.env['ENGINE'] === 'postgres') {
    const cluster = await startCluster({ isDurable: false })
    project.provide('ownerUrl', cluster.ownerUrl)
    project.provide('superuserUrl', cluster.url)
    return () => cluster.stop()
  }
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-template-'))
  const engineDirectory = await initialisedEngineDirectory(directory)
  const { database, owner } = await openPglite(engineDirectory)
  await migrate(owner)
  await database.close()
  project.provide('migratedDirectory', engineDirectory)
  return () => rm(directory, { recursive: true, force: true })
}
