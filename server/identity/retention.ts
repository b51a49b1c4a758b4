/**
 * Purges expired data (docs/privacy.md): sessions, links, counters, deleted rows, idempotency keys, and accounts that
 * were never confirmed.
 */
import { type Database, sql } from '#database/database.ts'
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { asService } from '#database/scope.ts'

const intervalMs = 10 * 60_000
/**
 * Maximum number of rows of each kind that one database transaction purges, so that a transaction does not hold locks
 * for long.
 */
const rowsMax = 500

/** Purges every ten minutes and returns a function that stops purging. Several servers may purge at the same time. */
export function purgeExpired(database: Database, onFailure: (error: unknown) => void): () => Promise<void> {
  return repeat(new CoalescedTask(() => sweep(database), onFailure), intervalMs)
}

async function sweep(database: Database): Promise<void> {
  for (const purge of [
    sql<{ removed: number }>`select auth.purge_expired(${rowsMax}) as removed`,
    sql<{ removed: number }>`select private.purge_expired(${rowsMax}) as removed`,
  ]) {
    for (let removed = rowsMax; removed >= rowsMax;) {
      const [[answer]] = await database.transaction(asService('supabase_auth_admin', 'write'), [purge])
      removed = answer?.removed ?? 0
    }
  }
}
