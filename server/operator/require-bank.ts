/**
 * Checks before a command opens a bank. Opening makes what is missing, as a first start has to: without the environment of
 * the service, a command would make a bank of its own.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { engineDirectoryOf } from '#database/pglite/data-directory.ts'
import { sql } from '#database/database.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import { CommandRefused } from './command.ts'
import { secretsFileOf } from '#secrets.ts'

const asTheServer = 'Ejecuta el comando con el entorno del servidor (docs/operations.md, "Commands").'

/** Makes and changes nothing. Throws `CommandRefused` where there is no bank, and `DatabaseUnavailable`. */
export async function requireBank({ database, dataDir }: Config): Promise<void> {
  if (database === null) {
    if (existsSync(join(engineDirectoryOf(dataDir), 'PG_VERSION'))) return
    throw new CommandRefused(`No hay ningún banco en ${dataDir} que este usuario pueda ver. ${asTheServer}`)
  }
  const owner = await connectOwner(database.ownerUrl)
  try {
    // The catalogue is for every login; the schema itself is not.
    const [found] = await owner.query(sql`select from pg_catalog.pg_namespace where nspname = 'ledger'`)
    if (found !== undefined) return
    throw new CommandRefused(`No hay ningún banco en la base de datos de DATABASE_URL. ${asTheServer}`)
  } finally {
    await owner.close()
  }
}

/** Throws `CommandRefused` where a secret would have to be made up. */
export function requireSecret({ dataDir, secrets }: Config): void {
  if (secrets.jwtSecret !== null || existsSync(secretsFileOf(dataDir))) return
  throw new CommandRefused(`JWT_SECRET no está definido y ${dataDir} no tiene secretos. ${asTheServer}`)
}
