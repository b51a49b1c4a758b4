/** For tests and for reading the schema: an empty bank on an embedded engine of its own, every migration applied. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import type { Database, Owner } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'

export type ThrowAwayBank = {
  readonly database: Database
  readonly owner: Owner
  /** Its data directory, which is gone once the bank is closed. */
  readonly directory: string
  close(): Promise<void>
}

/** Opens one, in a directory under the system's temporary one. */
export async function openThrowAwayBank(): Promise<ThrowAwayBank> {
  const directory = await mkdtemp(join(tmpdir(), 'finanzas-bank-'))
  const { database, owner } = await openPglite(await initialisedEngineDirectory(directory))
  await migrate(owner)
  return {
    database,
    owner,
    directory,
    async close() {
      await database.close()
      await rm(directory, { recursive: true })
    },
  }
}
