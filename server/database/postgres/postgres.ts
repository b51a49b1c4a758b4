/** The database interface for a PostgreSQL server, over TCP or a Unix socket. */
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import pg from 'pg'
import {
  type Database,
  DatabaseUnavailable,
  FollowsAnother,
  type Owner,
  type RowsOf,
  type Scope,
  SqlError,
  type SqlStatement,
  sql,
} from '#database/database.ts'
import { Connections, type Lease, isLoginRefusal } from './connections.ts'
import { addressOf } from './explain-failure.ts'
import { Pipeline } from './pipeline.ts'
import { WriteNotifier } from './write-notifier.ts'
import { scopeStatement } from '#database/scope.ts'
import { type Exchange, PreparedStatements, WireBatch, WireScript } from '#database/wire-batch.ts'

/** Default number of connections that serve requests. */
export const poolSizeDefault = 8
const connectWaitMs = 5000
const statementTimeoutMs = 5000
/**
 * This time is longer than the database's statement timeout. A database that has not answered a batch within this time
 * counts as unreachable.
 */
const silenceMaxMs = statementTimeoutMs + 2000

// JSON formats times in the session's time zone, and clients expect UTC. Statements are prepared once and reused. By
// default, PostgreSQL would plan each read with `limit $n` anew. If a table was empty when the read was planned,
// PostgreSQL would also scan the whole table until new statistics arrive (docs/decisions/0037).
const sessionSettings = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  options: [
    '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
    // Without seqscan, PostgreSQL uses an index wherever one exists, and still scans a table that has no suitable
    // index. JIT compilation costs more than it saves for these short reads.
    '-c enable_seqscan=off -c jit=off',
  ].join(' '),
}
// A pooler does not accept settings when a connection starts, so each batch begins with the most important settings.
const batchSettings = sql`
  select pg_is_in_recovery() as "isFollower",
    set_config('timezone', 'UTC', true), set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`

/**
 * Refuses a replica. After a failover, a URL may lead to a replica that lags behind. This replica does not have the
 * newest sessions yet and would refuse their requests, and the clients would then sign out.
 */
async function requirePrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isFollower: boolean }>('select pg_is_in_recovery() as "isFollower"')
  if (rows[0]?.isFollower !== false) throw new FollowsAnother()
}

/** The URLs that `preparePostgres` returns, through which the server uses the database. */
export type PostgresAddress = {
  /** The URL that contains the serving login. This login needs only membership in the request roles. */
  readonly url: string
  /** True if the URL leads to a pooler. Behind a pooler, each batch may run on a different connection. */
  readonly isPooled: boolean
  /** The URL of the connection that listens for other servers' writes. With `null`, the change feed only polls. */
  readonly listenUrl: string | null
  /**
   * A mark that stands for the password. The `application_name` of every database session that logged in with this
   * password ends with the mark.
   */
  readonly passwordMark?: string | null
}

/** Opens the database for requests, with at most `poolSize` connections. */
export function openPostgres(
  { url, isPooled, listenUrl, passwordMark = null }: PostgresAddress,
  {
    poolSize = poolSizeDefault,
    onLoginRefused = () => undefined,
  }: { poolSize?: number; onLoginRefused?: () => void } = {},
): Database {
  const named = (name: string) => (passwordMark === null ? name : `${name} ${passwordMark}`)
  const connections = new Connections({
    poolSize,
    isPooled,
    onLoginRefused,
    silenceMaxMs,
    verify: isPooled ? async () => undefined : requirePrimary,
    client: {
      connectionString: url,
      connectionTimeoutMillis: connectWaitMs,
      application_name: named('finanzas'),
      keepAlive: true,
      ...(isPooled ? {} : sessionSettings),
    },
  })
  const writes = writeListeners(listenUrl, named('finanzas listener'))

  return {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const lease = await connections.lease(scope.isShort === true).catch(unavailable)
      const preamble = [...(isPooled ? [batchSettings] : []), scopeStatement(scope)]
      let rows
      try {
        const batch = new WireBatch([...preamble, ...statements], lease.prepared, {
          bytesMax: answerBytesMax,
        })
        await exchange(lease, batch, { isPooled, onLoginRefused })
        rows = rowsOf(batch, preamble.length, scope)
      } finally {
        lease.release()
      }
      if (scope.access === 'write') writes.tell()
      return rows as RowsOf<S>
    },
    running: () => connections.running(),
    onWrite: (listener) => writes.add(listener),
    async close() {
      await writes.close()
      await connections.close()
    },
  }
}

/** Sends a batch and waits for its answer. A failed exchange ends the connection. */
async function exchange(
  { pipeline }: Lease,
  batch: WireBatch,
  { isPooled, onLoginRefused }: { isPooled: boolean; onLoginRefused: () => void },
): Promise<void> {
  try {
    await pipeline.send(batch)
    if (isPooled && batch.rowsOf(0)[0]?.['isFollower'] === true) throw new FollowsAnother()
  } catch (error) {
    pipeline.end(error as Error)
    // A pooler reports a refused login only now, when it runs the first statement.
    if (isPooled && isLoginRefusal(error)) onLoginRefused()
    unavailable(error)
  }
}

/** The listeners to the writes of this server, and with a URL also to the writes of other servers. */
function writeListeners(listenUrl: string | null, name: string) {
  const listeners: (() => void)[] = []
  const tellListeners = () => {
    for (const listener of listeners) listener()
  }
  const others = listenUrl === null ? null : new WriteNotifier(listenUrl, name, tellListeners)
  return {
    add: (listener: () => void) => void listeners.push(listener),
    /** Tells the listeners of all servers about a write of this server. */
    tell() {
      tellListeners()
      others?.notify()
    },
    close: async () => others?.close(),
  }
}

/**
 * Checks whether a URL leads to a pooler. A connection normally starts with the id of its PostgreSQL process, and a
 * pooler sends a made-up id instead.
 */
export async function answersThroughPooler(url: string): Promise<boolean> {
  const client = newClient(url)
  await client.connect().catch((error: unknown) => notConnected(error, url))
  try {
    const { rows } = await client
      .query<{ pid: number }>('select pg_backend_pid() as pid')
      .catch((error: unknown) => notConnected(error, url))
    return (client as pg.Client & { processID: number }).processID !== rows[0]?.pid
  } finally {
    await client.end()
  }
}

/** Checks whether the database accepts the login and password in the URL. Throws `DatabaseUnavailable`. */
export async function mayLogIn(url: string): Promise<boolean> {
  const client = newClient(url)
  try {
    await client.connect()
    return true
  } catch (error) {
    if (isLoginRefusal(error)) return false
    return unavailable(error)
  } finally {
    await client.end()
  }
}

/** Connects as the owner of all objects, for migrations. Throws `DatabaseUnavailable`. */
export async function connectOwner(url: string): Promise<Owner> {
  const client = newClient(url, { application_name: 'finanzas owner' })
  await client.connect().catch((error: unknown) => notConnected(error, url))
  // Statements are prepared without names, because a connection behind a pooler may already have a statement with the
  // same name.
  const prepared = new PreparedStatements({ isKept: false })
  const pipeline = new Pipeline(client, { silenceMaxMs: null })
  // A pooler accepts every connection, and reports a refused login only when it runs the first statement.
  const send = (exchange: Exchange) =>
    pipeline.send(exchange).catch((error: unknown) => notConnected(error, url))
  return {
    async script(text) {
      const script = new WireScript(text)
      await send(script)
      script.finish()
    },
    async query<R>(statement: SqlStatement<R>) {
      const batch = new WireBatch([statement], prepared)
      await send(batch)
      return (batch.rows()[0] ?? []) as R[]
    },
    async close() {
      await client.end()
    },
  }
}

/** Returns a client that has not connected yet. An error of its connection does not end the process. */
function newClient(url: string, options: pg.ClientConfig = {}): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWaitMs,
    ...options,
  })
  // The listener is registered before connecting, because the database may accept and end the connection in the same
  // packet.
  return client.on('error', () => undefined)
}

/** Returns the batch's rows. Throws `DatabaseUnavailable` for a write if the database is read-only at the moment. */
function rowsOf(batch: WireBatch, skipped: number, { access }: Scope) {
  try {
    return batch.rows(skipped)
  } catch (error) {
    // default_transaction_read_only is on, because the operator or the hosting provider has set it, for example when
    // the disk is full. The database then refuses the scope statement of a write with 25001.
    if (access === 'write' && error instanceof SqlError && ['25006', '25001'].includes(error.sqlState)) {
      throw new DatabaseUnavailable('The database only reads at the moment.', { cause: error })
    }
    throw error
  }
}

function notConnected(cause: unknown, url: string): never {
  throw new DatabaseUnavailable('The database cannot be reached.', { cause, address: addressOf(url) })
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable('The database cannot be reached.', { cause: error })
}
