/**
 * Start parameters of the embedded engine: upstream's parameters for single-user WebAssembly, with durable commits
 * and less memory.
 */

const settings = {
  // Upstream starts with `-F`, which turns fsync off. Upstream's fdatasync does nothing, so PostgreSQL must flush
  // with fsync.
  fsync: 'on',
  wal_sync_method: 'fsync',
  full_page_writes: 'on',
  search_path: 'public',
  timezone: 'UTC',
  // As in postgres.ts: by default PostgreSQL would plan a read with `limit $n` anew each time. It would also scan a
  // table that was empty when the read was planned, until the next vacuum.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  // PostgreSQL's default of 128 MB would double the process's memory; the operating system caches the files anyway.
  shared_buffers: '16MB',
  max_wal_size: '64MB',
  exit_on_error: 'false',
  log_checkpoints: 'false',
  io_method: 'sync',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
}

/** Arguments of the engine's process, without upstream's `-F`. */
export const engineStartParameters: string[] = [
  '--single',
  '-O',
  '-j',
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/**
 * SQL that gives a session of the engine the rights of the serving login (`auth.serving_login`). The name of the
 * engine's database is always postgres. The statement is not a query, because it may run inside the owner's transaction
 * block, which can choose its isolation level only before the first query.
 */
export const becomeServingLogin = 'set session authorization authenticator_postgres'

/** The engine's major version. The directory of another version needs a dump and a restore. */
export const engineMajorVersion = '18'
