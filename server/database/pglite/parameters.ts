/** How the embedded engine is started: upstream's parameters for single-user WebAssembly, made durable and small. */

const settings = {
  // Upstream starts with `-F`, fsync off. Its fdatasync does nothing, so the method is named too.
  fsync: 'on',
  wal_sync_method: 'fsync',
  full_page_writes: 'on',
  search_path: 'public',
  timezone: 'UTC',
  // As in postgres.ts: a read with a `limit $n` would be planned anew each time, and a table that was empty at first
  // might be read whole until the next vacuum.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  // 128 MB would double the process; the operating system caches the files anyway.
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
 * Gives a session of the engine the rights of the login that serves (`auth.serving_login`), whose database is always called
 * postgres. No query: a transaction block of the owner's, in which it runs too, may still choose its isolation.
 */
export const becomeServingLogin = 'set session authorization authenticator_postgres'

/** The engine's major version: a directory of another one needs a dump and a restore. */
export const engineMajorVersion = '18'
