/**
 * Start parameters of the embedded engine: upstream's parameters for single-user WebAssembly, changed for durable
 * commits and less memory.
 */

const settings = {
  // Upstream starts with `-F`, which turns fsync off. Upstream's fdatasync does nothing, so PostgreSQL must flush
  // with fsync.
  fsync: 'on',
  wal_sync_method: 'fsync',
  full_page_writes: 'on',
  search_path: 'public',
  timezone: 'UTC',
  // The same settings as in postgres.ts. By default, PostgreSQL would plan a read with `limit $n` anew each time. If a
  // table was empty when the read was planned, PostgreSQL would also scan the whole table until the next vacuum.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  // PostgreSQL's default of 128 MB would double the process's memory. The operating system caches the files in any
  // case.
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

/** The command-line arguments of the engine, without upstream's `-F`. */
export const engineStartParameters: string[] = [
  '--single',
  '-O',
  '-j',
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/**
 * SQL that gives an engine session the rights of the serving login (`auth.serving_login`). The engine's database is
 * always named postgres. This SQL must not be a query, because it can be the first statement of the owner's
 * transaction, and the isolation level can be set only before the first query.
 */
export const becomeServingLogin = 'set session authorization authenticator_postgres'

/** The engine's major version. A database in the directory of another version must be dumped and restored. */
export const engineMajorVersion = '18'
