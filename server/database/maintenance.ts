/**
 * Runs checkpoints and vacuums, because the embedded engine lacks PostgreSQL's background processes. Checkpoints limit
 * the write-ahead log; vacuums update statistics and free dead rows. The more data is written, the more often
 * checkpoints and vacuums run.
 */
import { CoalescedTask, repeat } from './coalesced-task.ts'
import { type Owner, sql } from './database.ts'

const lookIntervalMs = 10_000
/**
 * A checkpoint runs one minute after the previous checkpoint, or as soon as this many bytes of write-ahead log have
 * been written.
 */
const checkpointIntervalMs = 60_000
const checkpointLogBytes = 64 * 1024 * 1024
/**
 * A table is vacuumed when the number of its dead or new rows reaches a limit. This limit is `vacuumRowsMin` plus a
 * fifth of the table's live rows, and at most `vacuumRowsMax`.
 */
const vacuumRowsMin = 1000
const vacuumRowsMax = 100_000

/**
 * Upkeep of an embedded engine. `look` runs the vacuums and the checkpoint that are due; `close` runs a final
 * checkpoint.
 */
export type Maintenance = { readonly look: () => Promise<void>; readonly close: () => Promise<void> }

/** Calls `look` every ten seconds until `close` is called. */
export function startMaintenance(owner: Owner): Maintenance {
  let seenAt = Number.NaN
  let checkpointAt = Number.NaN
  let checkpointedMs = performance.now()
  const look = async () => {
    const [log] = await owner.query(sql<{ at: number }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as at`)
    const at = log?.at ?? Number.NaN
    if (at === seenAt) return
    for (const table of await tablesToVacuum(owner)) await owner.query(vacuumOf(table))
    if (Number.isNaN(checkpointAt)) checkpointAt = at
    const isLong = at - checkpointAt >= checkpointLogBytes
    if (isLong || performance.now() - checkpointedMs >= checkpointIntervalMs) {
      await owner.query(sql`checkpoint`)
      checkpointAt = at
      checkpointedMs = performance.now()
    }
    seenAt = at
  }
  // Errors are ignored, because the upkeep runs again after the next interval.
  const end = repeat(new CoalescedTask(look, () => undefined), lookIntervalMs)
  return {
    look,
    async close() {
      await end()
      await owner.query(sql`checkpoint`)
    },
  }
}

/**
 * Returns the tables to vacuum, with their names quoted for SQL. A separate statement vacuums each table, so that a
 * request waits for the vacuum of at most one table.
 */
async function tablesToVacuum(owner: Owner): Promise<string[]> {
  const tables = await owner.query(sql<{ name: string }>`
    select format('%I.%I', t.schemaname, t.relname) as name
    from pg_catalog.pg_stat_all_tables t
    where t.schemaname <> 'pg_toast'
      and greatest(t.n_dead_tup, t.n_ins_since_vacuum, t.n_mod_since_analyze)
        >= least(${vacuumRowsMin} + 0.2 * t.n_live_tup, ${vacuumRowsMax})`)
  return tables.map(({ name }) => name)
}

function vacuumOf(table: string) {
  return { text: `vacuum (analyze) ${table}`, values: [] }
}
