/** From a configuration to a server that listens: `npm start`, the demo and the tests all come through here. */
import { join } from 'node:path'
import { createApp } from '#app.ts'
import type { Config } from '#config.ts'
import { openChangeFeed } from '#database/changes.ts'
import { initialisedEngineDirectory, lockDirectory, prepareDirectory } from '#database/data-directory.ts'
import type { Database } from '#database/database.ts'
import { migrate } from '#database/migrate.ts'
import { openPglite } from '#database/pglite.ts'
import { openPostgres } from '#database/postgres.ts'
import { preparePostgres } from '#database/prepare-postgres.ts'
import { keepInShape } from '#database/upkeep.ts'
import { allowedOrigins } from '#http/origins.ts'
import { ensureFirstAdministrator } from '#identity/first-administrator.ts'
import { createPasswords } from '#identity/passwords.ts'
import { createMailer } from '#mail/create-mailer.ts'
import { readSecrets } from '#secrets.ts'
import { RefreshTokenKey } from '#tokens/refresh-token.ts'

export type RunningServer = {
  /** Where it listens, as a person would open it. */
  readonly url: string
  readonly database: Database
  /** The first administrator's password, once, when this start made it up. */
  readonly administratorPassword: string | null
  /** Finishes what is running, answers nothing new, and lets go of everything. */
  close(): Promise<void>
}

/** What a server tells whoever started it, besides its log. */
export type Announcements = { readonly onMailKept: (link: string | null, to: string) => void }

/** Starts a server. Throws the errors of each step; whatever was opened before is closed again. */
export async function startServer(config: Config, announce: Announcements): Promise<RunningServer> {
  prepareDirectory(config.dataDir)
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    const unlock = config.database === null ? lockDirectory(config.dataDir) : () => undefined
    closers.push(unlock)
    const { jwtSecret, tokenKey, apiKeys } = await readSecrets(config)
    const database = await openDatabase(config, jwtSecret, closers)
    const passwords = createPasswords({ lengthMin: config.passwordLengthMin })
    const administratorPassword = await ensureFirstAdministrator(database, passwords, config.administrator)
    const mailer = createMailer({
      smtp: config.mail,
      outboxDirectory: join(config.dataDir, 'outbox'),
      brandName: config.brandName,
      onKept: announce.onMailKept,
    })
    closers.push(() => mailer.close())
    const changes = openChangeFeed(database)
    closers.push(() => changes.close())

    const origins = allowedOrigins({ ...config, further: config.corsOrigins })
    const app = createApp({
      config,
      database,
      changes,
      tokenKey,
      refreshTokenKey: RefreshTokenKey.of(jwtSecret),
      apiKeys,
      origins,
      mailer,
      passwords,
    })
    closers.push(() => app.close())
    await app.listen({ port: config.port, host: config.host, listenTextResolver: () => 'listening' })
    return { url: config.siteUrl, database, administratorPassword, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function openDatabase(
  config: Config,
  jwtSecret: string,
  closers: (() => unknown)[],
): Promise<Database> {
  if (config.database !== null) {
    const database = openPostgres(await preparePostgres({ ...config.database, jwtSecret }))
    closers.push(() => database.close())
    return database
  }
  const { database, owner } = await openPglite(await initialisedEngineDirectory(config.dataDir))
  closers.push(() => database.close())
  await migrate(owner)
  closers.push(keepInShape(database, owner))
  return database
}
