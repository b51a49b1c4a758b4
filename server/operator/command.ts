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

/** The migrated database of the bank on which a command runs, and the services that commands use. */
export type CommandContext = {
  readonly config: {
    readonly dataDir: string
    readonly brandName: string
    readonly siteUrl: string
    readonly supportContact: string
    readonly passwordLengthMin: number
    readonly paperCertificate: object | null
  }
  readonly database: Database
  readonly owner: Owner
  /** `null` on PostgreSQL, where `npm run backup` itself opens the database. */
  readonly backups: Backups | null
  /** Opens the mailer, for a command that sends a mail. Throws `CommandRefused`. */
  readonly mailer: () => Promise<Mailer>
  /** Opens the keys, for a command that creates a link or an HMAC. Throws `CommandRefused`. */
  readonly keys: () => Promise<Keys>
}

/** A command, whose input and answer are JSON values. Throws `CommandRefused`. */
export type OperatorCommand<Input, Answer> = (context: CommandContext, input: Input) => Promise<Answer>

export type OperatorCommands = Readonly<Record<string, OperatorCommand<never, unknown>>>

/** A command was refused. The operator sees the message. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

const asTheServer = 'Ejecuta el comando con el entorno del servidor (docs/es/comandos.md).'

/**
 * Checks that a bank exists, and changes nothing. A command that opens a bank also creates the missing parts of the
 * bank. If the operator runs such a command without the server's environment, it would therefore create a second bank.
 * Throws `CommandRefused` if no bank exists, and also `BankMoved` and `DatabaseUnavailable`.
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
 * Returns the backups of a bank. Does not call `openBank`, because `openBank` migrates the database, and a backup
 * before an upgrade must not do so.
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
