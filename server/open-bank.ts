/** From a configuration to an open database: the server and the operator's commands come through here. */
import { type BackupSource, Backups } from '#backup/backups.ts'
import { readSigningKey } from '#backup/signing-key.ts'
import type { Config } from '#config.ts'
import { initialisedEngineDirectory, lockDirectory, prepareDirectory } from '#database/data-directory.ts'
import type { Database, Owner } from '#database/database.ts'
import { migrate } from '#database/migrate.ts'
import { openPglite } from '#database/pglite.ts'
import { connectOwner, openPostgres } from '#database/postgres.ts'
import { preparePostgres } from '#database/prepare-postgres.ts'
import { keepInShape } from '#database/upkeep.ts'
import { type Secrets, readSecrets } from '#secrets.ts'

export type OpenBank = {
  readonly secrets: Secrets
  readonly database: Database
  /** The owner's rights: the embedded engine's own, or a connection that the caller closes. */
  readonly connectOwner: () => Promise<Owner>
  readonly backups: Backups
  /** Closes the database and lets go of the directory. */
  close(): Promise<void>
}

/**
 * Prepares the directory, takes it where the engine is embedded, and brings the database up to date.
 * Throws the errors of each step; whatever was opened before is closed again.
 */
export async function openBank(config: Config): Promise<OpenBank> {
  prepareDirectory(config.dataDir)
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const { source, ...opened } =
      config.database === null
        ? await openEmbedded(config, closers)
        : await openOnPostgres(config, config.database, closers)
    const signingKey = readSigningKey(config.dataDir, config.backup.signingKey)
    const backups = new Backups({ dataDir: config.dataDir, source, signingKey })
    return { ...opened, backups, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Opened = Pick<OpenBank, 'secrets' | 'database' | 'connectOwner'> & { readonly source: BackupSource }

async function openEmbedded(config: Config, closers: (() => unknown)[]): Promise<Opened> {
  closers.push(lockDirectory(config.dataDir))
  const directory = await initialisedEngineDirectory(config.dataDir)
  const { database, owner, copyTo } = await openPglite(directory)
  closers.push(() => database.close())
  await migrate(owner)
  closers.push(keepInShape(database, owner))
  // Last: a place that refuses to serve gets no secrets either, and a restore brings its own.
  const secrets = await readSecrets(config)
  return {
    secrets,
    database,
    connectOwner: () => Promise.resolve(owner),
    source: { engine: 'pglite', directory, copyTo },
  }
}

async function openOnPostgres(
  config: Config,
  { url, directUrl, poolSize, allowSuperuser }: NonNullable<Config['database']>,
  closers: (() => unknown)[],
): Promise<Opened> {
  const secrets = await readSecrets(config)
  const { jwtSecret } = secrets
  const address = await preparePostgres({ url, directUrl, allowSuperuser, jwtSecret })
  const database = openPostgres(address, { poolSize })
  closers.push(() => database.close())
  const ownerUrl = directUrl ?? url
  return {
    secrets,
    database,
    connectOwner: () => connectOwner(ownerUrl),
    source: { engine: 'postgres', ownerUrl },
  }
}
