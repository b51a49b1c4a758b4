/** Opens the database that a configuration names, for the server and for the operator's commands. */
import { type BackupSource, Backups } from '#backup/backups.ts'
import { readSigningKey } from '#backup/signing-key.ts'
import type { Config } from '#settings/config.ts'
import { prepareDirectory } from '#data-directory/data-directory.ts'
import { lockDirectory } from '#data-directory/directory-lock.ts'
import { DirectoryGrowth } from '#database/pglite/directory-growth.ts'
import { initialisedEngineDirectory } from '#database/pglite/engine-directory.ts'
import type { Database, Owner } from '#database/database.ts'
import { askAsService, openDataKey } from '#database/data-key.ts'
import { LoginKeeper } from '#database/postgres/serving-login.ts'
import { migrate } from '#database/migrate.ts'
import { openPglite } from '#database/pglite/pglite.ts'
import { answersThroughPooler, connectOwner, openPostgres } from '#database/postgres/postgres.ts'
import { preparePostgres, refuseUnserved, refusingAnotherSecret } from '#database/postgres/prepare.ts'
import { startMaintenance } from '#database/maintenance.ts'
import { type Secrets, readSecrets } from './secrets.ts'

export type OpenBank = {
  readonly secrets: Secrets
  readonly database: Database
  /** Returns the data key. Throws if the server's secrets cannot decrypt it. */
  readonly openDataKey: () => Promise<string>
  /** Size of the embedded engine's files; `null` on PostgreSQL. */
  readonly growth: DirectoryGrowth | null
  /** Repairs the database login that the server uses; `null` on the embedded engine. */
  readonly login: LoginKeeper | null
  /** Opens a connection as the database owner. The caller must close the connection. */
  readonly connectOwner: () => Promise<Owner>
  readonly backups: Backups
  close(): Promise<void>
}

/**
 * Prepares the directory, locks it if the engine is embedded, and migrates the database. Throws the error of the step
 * that failed, after closing everything that was opened.
 */
export async function openBank(config: Config): Promise<OpenBank> {
  const removeEmptyDirectory = prepareDirectory(config.dataDir)
  try {
    return await openPrepared(config)
  } catch (error) {
    removeEmptyDirectory()
    throw error
  }
}

async function openPrepared(config: Config): Promise<OpenBank> {
  await using closers = new AsyncDisposableStack()
  const { source, ...bank } =
    config.database === null
      ? await openEmbedded(config, closers)
      : await openOnPostgres(config, config.database, closers)
  const signingKey = readSigningKey(config.dataDir, config.backup.signingKey)
  const backups = new Backups({ dataDir: config.dataDir, source, signingKey })
  const opened = closers.move()
  return { ...bank, backups, close: () => opened.disposeAsync() }
}

export type CommandBank = Pick<OpenBank, 'database' | 'connectOwner' | 'close'> & {
  /**
   * `null` on PostgreSQL: there, `npm run backup` opens the database itself, and the other commands must not create a
   * backup directory or a signing key.
   */
  readonly backups: Backups | null
}

/**
 * Opens the bank for an operator's command while no server has it open. On PostgreSQL, connects as the owner: the
 * servers' login may not exist yet, and commands do not create this login.
 */
export async function openForCommand(config: Config): Promise<CommandBank> {
  if (config.database === null) return openBank(config)
  const { ownerUrl } = config.database
  await refuseUnserved(ownerUrl)
  const isPooled = await answersThroughPooler(ownerUrl)
  const database = openPostgres(
    { url: ownerUrl, isPooled, listenUrl: null },
    { poolSize: commandConnections },
  )
  return {
    database,
    connectOwner: () => connectOwner(ownerUrl),
    backups: null,
    close: () => database.close(),
  }
}

const commandConnections = 2

type Opened = Pick<OpenBank, 'secrets' | 'database' | 'openDataKey' | 'growth' | 'login' | 'connectOwner'> & {
  readonly source: BackupSource
}

async function openEmbedded(config: Config, closers: AsyncDisposableStack): Promise<Opened> {
  closers.defer(lockDirectory(config.dataDir))
  const directory = await initialisedEngineDirectory(config.dataDir)
  const { database, owner, copyTo } = await openPglite(directory)
  closers.defer(() => database.close())
  await migrate(owner)
  const maintenance = startMaintenance(owner)
  closers.defer(() => maintenance.close())
  const growth = new DirectoryGrowth(directory)
  closers.defer(() => growth.close())
  // This step comes last, because it creates missing secrets. A directory that is refused must not receive any secrets,
  // and a restore brings its own secrets.
  const secrets = await readSecrets(config)
  return {
    secrets,
    database,
    openDataKey: () => openDataKey(askAsService(database), secrets, { isOnlyServer: true }),
    growth,
    login: null,
    connectOwner: () => Promise.resolve(owner),
    source: { engine: 'pglite', directory, copyTo },
  }
}

async function openOnPostgres(
  config: Config,
  { url, directUrl, ownerUrl, poolSize, allowSuperuser }: NonNullable<Config['database']>,
  closers: AsyncDisposableStack,
): Promise<Opened> {
  const secrets = await readSecrets(config)
  const address = await preparePostgres({ ...secrets, url, directUrl, allowSuperuser })
  const login = new LoginKeeper(ownerUrl, address.login)
  closers.defer(() => login.close())
  const database = openPostgres(address, { poolSize, onLoginRefused: () => login.refused() })
  closers.defer(() => database.close())
  return {
    secrets,
    database,
    openDataKey: async () =>
      address.dataKey ??
      (await refusingAnotherSecret(() =>
        openDataKey(askAsService(database), secrets, { isOnlyServer: false }),
      )),
    growth: null,
    login,
    connectOwner: () => connectOwner(ownerUrl),
    source: { engine: 'postgres', ownerUrl },
  }
}
