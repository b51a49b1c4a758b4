/** The database of a bank, without a server, on either engine. */
import type { Database, Owner } from '#server/database/database.ts'
import { type Release, migrate } from '#server/database/migrate.ts'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres/postgres.ts'
import { preparePostgres } from '#server/database/postgres/prepare.ts'
import { type TemplateCluster, superuserUrlOf } from './cluster-databases.ts'
import { type Place, type TestEngine, createOwnPlace, createPlace } from './place.ts'

/** The database of a place. `close` does not remove the place. */
export type OpenDatabase = {
  readonly database: Database
  readonly owner: Owner
  readonly close: () => Promise<void>
}

export type TestDatabase = OpenDatabase & {
  readonly engine: TestEngine
  /** The `DATA_DIR` of the embedded engine; `null` on PostgreSQL. */
  readonly directory: string | null
  /** The URL of the serving login; `null` on the embedded engine. */
  readonly servingUrl: string | null
  /**
   * Opens a superuser connection, which the caller must close. On the embedded engine, this is the owner's
   * connection, which already has all rights.
   */
  connectSuperuser(): Promise<Owner>
}

/** All databases of a cluster share the serving login, and therefore its secret. */
const testSecret = 'one secret for every database of the test cluster'

/**
 * Opens a migrated, empty database. On PostgreSQL, the database is a copy of the given cluster's database. If no cluster
 * is given, the database is in a new durable cluster. `close` also removes the database.
 */
export async function openTestDatabase(
  engine: TestEngine = 'pglite',
  cluster?: TemplateCluster,
): Promise<TestDatabase> {
  const place =
    cluster === undefined
      ? await createOwnPlace(engine, { isDurable: true })
      : await createPlace(engine, { cluster })
  const open = await openPlace(place)
  return { ...open, close: () => open.close().then(place.remove) }
}

/** Opens the database of a place. On PostgreSQL, first prepares the database as a server does. */
export async function openPlace(
  { engine, dataDir, cluster }: Place,
  { jwtSecret } = { jwtSecret: testSecret },
): Promise<TestDatabase> {
  if (cluster === null) {
    const open = await openEmbedded(dataDir)
    const connectSuperuser = () => Promise.resolve({ ...open.owner, close: () => Promise.resolve() })
    return { ...open, engine, directory: dataDir, servingUrl: null, connectSuperuser }
  }
  const address = await preparePostgres({
    url: cluster.ownerUrl,
    directUrl: null,
    allowSuperuser: false,
    jwtSecret,
  })
  const database = openPostgres(address)
  const owner = await connectOwner(cluster.ownerUrl)
  return {
    engine,
    database,
    owner,
    directory: null,
    servingUrl: address.url,
    connectSuperuser: () => connectOwner(superuserUrlOf(cluster)),
    async close() {
      await database.close()
      await owner.close()
    },
  }
}

/**
 * Opens the database of a place beside its server, as a superuser. On the embedded engine, this works only while the
 * server is stopped. Unlike `openPlace`, does not change the database's logins.
 */
export function openBesideServer({ dataDir, cluster }: Place): Promise<OpenDatabase> {
  return cluster === null ? openEmbedded(dataDir) : openAsSuperuser(superuserUrlOf(cluster))
}

/** Opens a database on PostgreSQL with a superuser's URL. */
export async function openAsSuperuser(url: string): Promise<OpenDatabase> {
  const owner = await connectOwner(url)
  const database = openPostgres({ url, isPooled: false, listenUrl: null })
  return {
    database,
    owner,
    async close() {
      await database.close()
      await owner.close()
    },
  }
}

/** A new database to which a release was applied, and nothing else. */
export type EmptyDatabase = { readonly owner: Owner; readonly close: () => Promise<void> }

/** Creates a database and applies the migrations of a release, which need not be this one. */
export async function openEmptyDatabase(
  release: Release,
  cluster: TemplateCluster | null = null,
): Promise<EmptyDatabase> {
  const place = await createPlace(cluster === null ? 'pglite' : 'postgres', { cluster, template: null })
  const { owner, close } =
    place.cluster === null ? await openEmbedded(place.dataDir) : await connected(place.cluster.ownerUrl)
  await migrate(owner, null, release)
  return { owner, close: () => close().then(place.remove) }
}

async function connected(ownerUrl: string): Promise<EmptyDatabase> {
  const owner = await connectOwner(ownerUrl)
  return { owner, close: () => owner.close() }
}

async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  const { database, owner } = await openPglite(await initialisedEngineDirectory(dataDir))
  return { database, owner, close: () => database.close() }
}
