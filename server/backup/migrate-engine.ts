/**
 * Moves a bank to another engine by making a backup and restoring it. No write can happen between the backup and the
 * restore.
 */
import { type Owner, sql } from '#database/database.ts'
import { markDatabaseMoved, markDirectoryMoved } from '#database/moved.ts'
import { addressOf } from '#database/postgres/explain-failure.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import type { BackupReport, BackupSource, Backups } from './backups.ts'
import { readContents, textSettings } from './contents.ts'
import { refuseDifference } from './load.ts'
import { BackupRefused, type Manifest } from './manifest.ts'
import { type RestoreTarget, refuseOccupied, restoreBackup } from './restore.ts'
import { readTables } from './tables.ts'

/**
 * Moves a bank that no server is serving. For an embedded bank, the caller must have locked the directory; on
 * PostgreSQL, this function itself blocks writes. `putSecrets` copies the secret files that are stored beside the
 * database. The last step marks the old bank as moved, so that servers refuse to serve it. Throws `BackupRefused`.
 */
export async function migrateEngine(
  source: BackupSource,
  target: RestoreTarget,
  { backups, putSecrets }: { readonly backups: Backups; readonly putSecrets: () => void },
): Promise<{ report: BackupReport; manifest: Manifest }> {
  await refuseOccupied(target)
  const locked = source.engine === 'postgres' ? await lockWrites(source.ownerUrl) : null
  try {
    const report = await backups.make(null)
    // Checks the fingerprint, so that only a backup with the old bank's signature is restored.
    const manifest = await restoreBackup(target, report.file, { signedBy: report.signedBy })
    // The restore has compared the loaded rows with the file. This step compares the file with the source's current
    // rows.
    if (locked !== null)
      refuseDifference(manifest.contents, await readContents(locked, () => Promise.resolve()))
    putSecrets()
    const place = placeOf(target)
    if (source.engine === 'pglite') markDirectoryMoved(source.directory, place)
    if (locked !== null) {
      // Throws if a server has started since the tables were locked. This server found no mark of a move and would
      // continue to serve this database.
      await refuseServers(locked)
      await markDatabaseMoved(locked, place)
      await locked.script('commit')
    }
    return { report, manifest }
  } finally {
    await locked?.close()
  }
}

/** Describes the target to the operator, without a login or a password. */
function placeOf(target: RestoreTarget): string {
  if (target.engine === 'pglite') return target.dataDir
  const { server, database } = addressOf(target.directUrl ?? target.url)
  return `${server}/${database}`
}

/** Blocks writes for as long as the connection is open. */
async function lockWrites(ownerUrl: string): Promise<Owner> {
  const owner = await connectOwner(ownerUrl)
  try {
    await refuseServers(owner)
    const tables = await readTables(owner)
    // Other transactions can still read, but their writes wait. A server that starts now reports the database as
    // unavailable.
    await owner.script(`begin; lock table ${tables.map(({ sql: name }) => name).join(', ')} in share mode`)
    await owner.script(textSettings)
    return owner
  } catch (error) {
    await owner.close()
    throw error
  }
}

async function refuseServers(owner: Owner): Promise<void> {
  const [others] = await owner.query<{ servers: number }>(sql`
    select count(*) as servers from pg_catalog.pg_stat_activity
    where datname = current_database() and application_name ~ '^finanzas( [0-9a-f]+)?$'`)
  if (others === undefined || others.servers === 0) return
  throw new BackupRefused(
    'Hay un servidor de Finanzas conectado a la base de datos. Detén todos los servidores primero.',
  )
}
