/**
 * Runs checkpoints and vacuums, because the embedded engine lacks PostgreSQL's background processes. Checkpoints limit
 * the write-ahead log; vacuums update statistics and free dead rows. Their frequency depends on the amount of writing,
 * not on time alone.
 */
import { type Owner, sql } from './database.ts'

const lookIntervalMs = 10_000
/** A checkpoint runs after a minute, or earlier after this amount of write-ahead log. */
const checkpointIntervalMs = 60_000
const checkpointLogBytes = 64 * 1024 * 1024
/**
 * Vacuums a table when its dead or new rows reach the smaller of two limits: `vacuumRowsMax`, and `vacuumRowsMin` plus
 * a fifth of its live rows.
 */
const vacuumRowsMin = 1000
const vacuumRowsMax = 100_000

/** Upkeep of an embedded engine. `look` does the work that is due; `close` makes a last checkpoint. */
export type Maintenance = { readonly look: () => Promise<void>; readonly close: () => Promise<void> }

/** Looks every ten seconds until `close` is called. */
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
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    // An error is ignored, because the next look tries again.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = null
      })
  }, lookIntervalMs)
  timer.unref()
  return {
    look,
    async close() {
      clearInterval(timer)
      await looking
      await owner.query(sql`checkpoint`)
    },
  }
}

/** Returns names quoted for SQL. Tables are vacuumed one at a time, so requests wait for one table at most. */
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
