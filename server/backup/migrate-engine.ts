/** From one engine to another: a backup and its restore, without writes in between. */
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
 * Moves a bank that no server serves: the caller has locked an embedded one's directory, and on PostgreSQL writes are locked
 * out. `putSecrets` brings what belongs beside the database. The last step marks the old place, which then no longer
 * serves. Throws `BackupRefused`.
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
    // The key is the one that signed a moment ago: the fingerprint proves that the file is that one.
    const manifest = await restoreBackup(target, report.file, { signedBy: report.signedBy })
    // The loaded rows were compared with the file; this compares the file with the source's rows now.
    if (locked !== null)
      refuseDifference(manifest.contents, await readContents(locked, () => Promise.resolve()))
    putSecrets()
    const place = placeOf(target)
    if (source.engine === 'pglite') markDirectoryMoved(source.directory, place)
    if (locked !== null) {
      // A server that started meanwhile has already read that it may serve.
      await refuseServers(locked)
      await markDatabaseMoved(locked, place)
      await locked.script('commit')
    }
    return { report, manifest }
  } finally {
    await locked?.close()
  }
}

/** Names the place for people, without a login or a password. */
function placeOf(target: RestoreTarget): string {
  if (target.engine === 'pglite') return target.dataDir
  const { server, database } = addressOf(target.directUrl ?? target.url)
  return `${server}/${database}`
}

/** Locks writes out for as long as the connection lasts. */
async function lockWrites(ownerUrl: string): Promise<Owner> {
  const owner = await connectOwner(ownerUrl)
  try {
    await refuseServers(owner)
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

async function refuseServers(owner: Owner): Promise<void> {
  const [others] = await owner.query<{ servers: number }>(sql`
    select count(*) as servers from pg_catalog.pg_stat_activity
    where datname = current_database() and application_name ~ '^finanzas( [0-9a-f]+)?$'`)
  if (others === undefined || others.servers === 0) return
  throw new BackupRefused(
    'Hay un servidor de Finanzas conectado a la base de datos. Detén todos los servidores primero.',
  )
}
