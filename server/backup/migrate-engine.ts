/** From one engine to another: a backup and its restore, without writes in between. */
import { type Owner, sql } from '#database/database.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import type { BackupReport, BackupSource, Backups } from './backups.ts'
import { readContents, textSettings } from './contents.ts'
import { refuseDifference } from './load.ts'
import { BackupRefused, type Manifest } from './manifest.ts'
import { type RestoreTarget, refuseOccupied, restoreBackup } from './restore.ts'
import { readTables } from './tables.ts'

/**
 * Moves a bank that no server serves: the caller has locked an embedded one's directory, and on PostgreSQL writes are locked
 * out. The source stays as it is. Throws `BackupRefused`.
 */
export async function migrateEngine(
  source: BackupSource,
  target: RestoreTarget,
  backups: Backups,
): Promise<{ report: BackupReport; manifest: Manifest }> {
  await refuseOccupied(target)
  const locked = source.engine === 'postgres' ? await lockWrites(source.ownerUrl) : null
  try {
    const report = await backups.make(null)
    // The key is the one that signed a moment ago: the fingerprint proves that the file is that one.
    const manifest = await restoreBackup(target, report.file, { signedBy: report.signedBy })
    // What was loaded was compared with the file; the file is compared with what is in the source now.
    if (locked !== null)
      refuseDifference(manifest.contents, await readContents(locked, () => Promise.resolve()))
    return { report, manifest }
  } finally {
    await locked?.close()
  }
}

/** Locks writes out for as long as the connection lasts. */
async function lockWrites(ownerUrl: string): Promise<Owner> {
  const owner = await connectOwner(ownerUrl)
  try {
    const [others] = await owner.query<{ servers: number }>(sql`
      select count(*) as servers from pg_catalog.pg_stat_activity
      where datname = current_database() and application_name ~ '^finanzas( [0-9a-f]+)?$'`)
    if (others !== undefined && others.servers > 0) {
      throw new BackupRefused(
        'Hay un servidor de Finanzas conectado a la base de datos. Detén todos los servidores primero.',
      )
    }
    const tables = await readTables(owner)
    // Readers go on, writers wait: a server that is started now answers that it is away.
    await owner.script(`begin; lock table ${tables.map(({ sql: name }) => name).join(', ')} in share mode`)
    await owner.script(textSettings)
    return owner
  } catch (error) {
    await owner.close()
    throw error
  }
}
