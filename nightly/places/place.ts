/** Throw-away databases: a migrated one of either engine, with its owner. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import type { Database, Owner } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { startCluster } from '#testing/cluster.ts'
import type { Engine } from '#nightly/report/figure.ts'

/** An open database that is gone once it is closed. The owner is a superuser. */
export type Place = { engine: Engine; database: Database; owner: Owner; close(): Promise<void> }

/** Opens an empty bank on the engine; commits reach the disk. */
export function openPlace(engine: Engine): Promise<Place> {
  return engine === 'embedded' ? openEmbedded() : openOnPostgres()
}

/** An empty directory under the system's temporary one, and how to remove it. */
export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'finanzas-soak-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

let template: Promise<string> | null = null

/** A new data directory with an empty, migrated bank. Making one takes seconds: the first is copied. */
export async function embeddedDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  template ??= makeTemplate()
  const directory = await temporaryDirectory()
  await cp(await template, directory.path, { recursive: true })
  return directory
}

/** Removes what `embeddedDataDirectory` copies from. */
export async function removeTemplate(): Promise<void> {
  const made = await template?.catch(() => null)
  template = null
  if (made !== null && made !== undefined) await rm(made, { recursive: true, force: true })
}

async function makeTemplate(): Promise<string> {
  const { path } = await temporaryDirectory()
  const { database, owner } = await openPglite(await initialisedEngineDirectory(path))
  await migrate(owner)
  await database.close()
  return path
}

async function openEmbedded(): Promise<Place> {
  const directory = await embeddedDataDirectory()
  const { database, owner } = await openPglite(join(directory.path, 'postgres'))
  return {
    engine: 'embedded',
    database,
    owner,
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

async function openOnPostgres(): Promise<Place> {
  const cluster = await startCluster({ isDurable: true })
  const servingUrl = await preparePostgres({
    url: cluster.ownerUrl,
    directUrl: null,
    allowSuperuser: false,
    jwtSecret: 'a secret for the soak, of no use elsewhere',
  })
  const database = openPostgres(servingUrl)
  const url = new URL(cluster.url)
  url.pathname = new URL(cluster.ownerUrl).pathname
  const owner = await connectOwner(url.href)
  return {
    engine: 'PostgreSQL',
    database,
    owner,
    async close() {
      await database.close()
      await owner.close()
      await cluster.stop()
    },
  }
}
