/** A migrated, empty database on either engine, for tests that need no server. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Database, Owner } from '#server/database/database.ts'
import { type Release, migrate } from '#server/database/migrate.ts'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { type Cluster, startCluster, superuserUrlOf } from './cluster.ts'
import { migratedDataDirectory, temporaryDirectory } from './data-directory.ts'

export type TestEngine = 'pglite' | 'postgres'

export type TestDatabase = {
  readonly engine: TestEngine
  readonly database: Database
  readonly owner: Owner
  /** The `DATA_DIR` of the embedded engine; `null` on PostgreSQL. */
  readonly directory: string | null
  /**
   * Opens a superuser connection, which the caller must close. On the embedded engine, this is the owner's
   * connection, which already has all rights.
   */
  connectSuperuser(): Promise<Owner>
  /** Closes and removes the database. */
  close(): Promise<void>
}

/**
 * A cluster with a migrated database, which `openTestDatabase` copies. `ownerUrl` is the owner's URL for that
 * database.
 */
export type TemplateCluster = Pick<Cluster, 'url' | 'ownerUrl'>

/**
 * Opens a test database. On PostgreSQL, the database is a copy of the given cluster's template. If no cluster is given,
 * the database is in a new durable cluster.
 */
export function openTestDatabase(
  engine: TestEngine = 'pglite',
  cluster?: TemplateCluster,
): Promise<TestDatabase> {
  if (engine === 'pglite') return openEmbedded()
  return cluster === undefined ? openOnOwnCluster() : openOnCluster(cluster)
}

/** An empty database to which a release was applied, and nothing else. */
export type EmptyDatabase = { readonly owner: Owner; close(): Promise<void> }

/** Creates a database and applies the migrations of a release, which need not be this one. */
export async function openEmptyDatabase(
  engine: TestEngine,
  release: Release,
  cluster?: TemplateCluster,
): Promise<EmptyDatabase> {
  if (engine === 'postgres' && cluster !== undefined) {
    const owner = await connectOwner(await createDatabase(cluster))
    await migrate(owner, null, release)
    return { owner, close: () => owner.close() }
  }
  const directory = await temporaryDirectory()
  const { database, owner } = await openPglite(await initialisedEngineDirectory(directory.path))
  await migrate(owner, null, release)
  return {
    owner,
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

/** Migrates the cluster's database, which `openTestDatabase` then copies. */
export async function migrateTemplate({ ownerUrl }: TemplateCluster): Promise<void> {
  await preparePostgres(prepared(ownerUrl))
}

async function openEmbedded(): Promise<TestDatabase> {
  const directory = await migratedDataDirectory()
  const { database, owner } = await openPglite(engineDirectoryOf(directory.path))
  return {
    engine: 'pglite',
    database,
    owner,
    directory: directory.path,
    connectSuperuser: () => Promise.resolve({ ...owner, close: () => Promise.resolve() }),
    async close() {
      await database.close()
      await directory.remove()
    },
  }
}

async function openOnOwnCluster(): Promise<TestDatabase> {
  const cluster = await startCluster({ isDurable: true })
  const open = await openAt(cluster.ownerUrl, cluster)
  return {
    ...open,
    async close() {
      await open.close()
      await cluster.stop()
    },
  }
}

async function openOnCluster(cluster: TemplateCluster): Promise<TestDatabase> {
  const template = new URL(cluster.ownerUrl).pathname.slice(1)
  return openAt(await createDatabase(cluster, template), cluster)
}

/** Creates a database in the cluster and returns the owner's URL for it. */
async function createDatabase(cluster: TemplateCluster, template = 'template1'): Promise<string> {
  const url = new URL(cluster.ownerUrl)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  url.pathname = '/postgres'
  const maintenance = new pg.Client({ connectionString: url.href })
  await maintenance.connect()
  await maintenance.query(`create database ${name} template ${template}`)
  await maintenance.end()
  url.pathname = `/${name}`
  return url.href
}

async function openAt(ownerUrl: string, cluster: TemplateCluster): Promise<TestDatabase> {
  const database = openPostgres(await preparePostgres(prepared(ownerUrl)))
  const owner = await connectOwner(ownerUrl)
  return {
    engine: 'postgres',
    database,
    owner,
    directory: null,
    connectSuperuser: () => connectOwner(superuserUrlOf(cluster, ownerUrl)),
    async close() {
      await database.close()
      await owner.close()
    },
  }
}

/** Uses one secret for the whole cluster, because all its databases share the serving login. */
function prepared(url: string) {
  const jwtSecret = 'one secret for every database of the test cluster'
  return { url, directUrl: null, allowSuperuser: false, jwtSecret }
}
