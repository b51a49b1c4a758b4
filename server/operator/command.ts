/** The bank on which an operator's command runs, and the checks before the command opens it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupSource, Backups } from '#backup/backups.ts'
import { readSigningKey } from '#backup/signing-key.ts'
import type { Config } from '#settings/config.ts'
import { type Database, type Owner, sql } from '#database/database.ts'
import { engineDirectoryOf } from '#data-directory/data-directory.ts'
import { refuseMovedDatabase, refuseMovedDirectory } from '#database/moved.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import type { Mailer } from '#mail/mailer.ts'
import { secretsFileOf } from '#bank/secrets.ts'
import type { Keys } from '#tokens/keys.ts'

/** The open, migrated bank on which a command runs, and the services that commands use. */
export type CommandContext = {
  readonly config: {
    readonly dataDir: string
    readonly brandName: string
    readonly siteUrl: string
    readonly supportContact: string
    readonly passwordLengthMin: number
  }
  readonly database: Database
  readonly owner: Owner
  /** `null` on PostgreSQL, where `npm run backup` itself opens the database. */
  readonly backups: Backups | null
  /** Called by commands that send a mail. Throws `CommandRefused`. */
  readonly mailer: () => Promise<Mailer>
  /** Called by commands that create a link or an HMAC. Throws `CommandRefused`. */
  readonly keys: () => Promise<Keys>
}

/** A command, whose input and answer are JSON values. Throws `CommandRefused`. */
export type OperatorCommand<Input, Answer> = (context: CommandContext, input: Input) => Promise<Answer>

export type OperatorCommands = Readonly<Record<string, OperatorCommand<never, unknown>>>

/** Refusal of a command. The operator sees the message. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

const asTheServer = 'Ejecuta el comando con el entorno del servidor (docs/es/comandos.md).'

/**
 * Checks that a bank exists. A command that opens a bank creates the missing parts of the bank. Without the service's
 * environment, such a command would therefore create a second bank. Changes nothing. Throws `CommandRefused` if no bank
 * exists, and also `BankMoved` and `DatabaseUnavailable`.
 */
export async function requireBank({ database, dataDir }: Config): Promise<void> {
  if (database === null) {
    if (existsSync(join(engineDirectoryOf(dataDir), 'PG_VERSION'))) return refuseMovedDirectory(dataDir)
    throw new CommandRefused(`No hay ningún banco en ${dataDir} que este usuario pueda ver. ${asTheServer}`)
  }
  const owner = await connectOwner(database.ownerUrl)
  try {
    // Every login may read the catalogue, although not every login may read the schema itself.
    const [found] = await owner.query(sql`select from pg_catalog.pg_namespace where nspname = 'ledger'`)
    if (found !== undefined) return await refuseMovedDatabase(owner)
    throw new CommandRefused(`No hay ningún banco en la base de datos de DATABASE_URL. ${asTheServer}`)
  } finally {
    await owner.close()
  }
}

/** Throws `CommandRefused` if the server's secret is missing and would have to be generated. */
export function requireSecret({ dataDir, secrets }: Config): void {
  if (secrets.jwtSecret !== null || existsSync(secretsFileOf(dataDir))) return
  throw new CommandRefused(`JWT_SECRET no está definido y ${dataDir} no tiene secretos. ${asTheServer}`)
}

/**
 * Returns the backups of a bank without opening it through `openBank`, because a backup before an upgrade must not
 * migrate the database.
 */
export function backupsOf({ dataDir, database, backup }: Config): {
  readonly source: BackupSource
  readonly backups: Backups
} {
  const source: BackupSource =
    database === null
      ? { engine: 'pglite', directory: engineDirectoryOf(dataDir), copyTo: null }
      : { engine: 'postgres', ownerUrl: database.ownerUrl }
  const signingKey = readSigningKey(dataDir, backup.signingKey)
  return { source, backups: new Backups({ dataDir, source, signingKey }) }
}
