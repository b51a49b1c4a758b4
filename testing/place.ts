/**
 * The kit with which tests, measurements and tools make a bank. A place is where the data of one bank is. `openPlace`
 * (database.ts) opens its database, `openSurfaces` (surfaces.ts) serves a database in this process, and `createServer`
 * (server.ts) serves a place with a program.
 */
import { cp } from 'node:fs/promises'
import { type Cluster, startCluster } from './cluster.ts'
import { type TemplateCluster, createDatabase } from './cluster-databases.ts'
import { type TemporaryDirectory, migratedDataDirectory, temporaryDirectory } from './data-directory.ts'

export type TestEngine = 'pglite' | 'postgres'

/** A data directory, and on PostgreSQL also a database. */
export type Place = {
  readonly engine: TestEngine
  /** The `DATA_DIR`, which is empty on PostgreSQL. */
  readonly dataDir: string
  /** The cluster, and the owner's URL for the bank's database in it; `null` on the embedded engine. */
  readonly cluster: TemplateCluster | null
  /** The environment variables that lead a server to this place. */
  readonly environment: { readonly DATA_DIR: string; readonly DATABASE_URL?: string }
  readonly remove: () => Promise<void>
}

/** A place whose cluster was started for it alone. `running` is `null` on the embedded engine. */
export type OwnPlace = Place & { readonly running: Cluster | null }

/**
 * Creates a place with a migrated database. On PostgreSQL, the database is a copy of a database in the cluster, by
 * default of the cluster's own database. With the template `null`, the place is empty on both engines.
 */
export async function createPlace(
  engine: TestEngine,
  { cluster, template }: { cluster: TemplateCluster | null; template?: string | null | undefined },
): Promise<Place> {
  if (engine === 'pglite' || cluster === null)
    return embeddedPlace(await (template === null ? temporaryDirectory() : migratedDataDirectory()))
  const copied = template === undefined ? new URL(cluster.ownerUrl).pathname.slice(1) : template
  const ownerUrl = await createDatabase(cluster, { template: copied })
  return postgresPlace(await temporaryDirectory(), { url: cluster.url, ownerUrl })
}

/**
 * Creates a place that shares nothing with other places. On PostgreSQL, its database is empty, and the first server or
 * the first `openPlace` migrates it. Measurements need a durable cluster, but tests do not.
 */
export async function createOwnPlace(
  engine: TestEngine,
  { isDurable }: { isDurable: boolean },
): Promise<OwnPlace> {
  if (engine === 'pglite') return { ...embeddedPlace(await migratedDataDirectory()), running: null }
  const running = await startCluster({ isDurable })
  const place = postgresPlace(await temporaryDirectory(), running)
  return {
    ...place,
    running,
    async remove() {
      await running.stop()
      await place.remove()
    },
  }
}

/** Copies a place on the embedded engine. Its database must be closed. */
export async function copyPlace({ dataDir }: Place): Promise<Place> {
  const directory = await temporaryDirectory()
  await cp(dataDir, directory.path, { recursive: true })
  return embeddedPlace(directory)
}

function embeddedPlace({ path, remove }: TemporaryDirectory): Place {
  return { engine: 'pglite', dataDir: path, cluster: null, environment: { DATA_DIR: path }, remove }
}

function postgresPlace({ path, remove }: TemporaryDirectory, { url, ownerUrl }: TemplateCluster): Place {
  return {
    engine: 'postgres',
    dataDir: path,
    cluster: { url, ownerUrl },
    environment: { DATA_DIR: path, DATABASE_URL: ownerUrl },
    remove,
  }
}
