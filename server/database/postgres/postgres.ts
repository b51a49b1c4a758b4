/** PostgreSQL over TCP or a socket: a pool of connections, one batch at a time on each. */
import pg from 'pg'
import {
  type Database,
  DatabaseUnavailable,
  FollowsAnother,
  NoAnswer,
  type Owner,
  type RowsOf,
  type Scope,
  SqlError,
  type SqlStatement,
  sql,
} from '#database/database.ts'
import { addressOf } from './explain-failure.ts'
import { WriteNotifier } from './write-notifier.ts'
import { scopeStatement } from '#database/scope.ts'
import { PreparedStatements, sqlErrorOf, WireBatch } from '#database/wire-batch.ts'

/** Connections that serve requests, unless the operator says otherwise. */
export const poolSizeDefault = 8
const connectWaitMs = 5000
const statementTimeoutMs = 5000
/** Above the server's own timeout: a server that does not answer by then is gone. */
const silenceMaxMs = statementTimeoutMs + 2000
/** After a refused connection the pool does not grow for so long. */
const refusedConnectionRestMs = 2000

// JSON shows times in the session's zone, and the wire has them in UTC. Statements are prepared once and
// run for ever: left to choose, PostgreSQL would plan each read with a `limit $n` anew, and read a table from end to
// end, until its statistics are looked at, because it was empty when the statement was planned (docs/decisions/0037).
const sessionSettings = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs,
  options: [
    '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
    // Where there is no index, a table is still read whole; nothing of that is worth compiling.
    '-c enable_seqscan=off -c jit=off',
  ].join(' '),
}
// A pooler takes none of these at the start of a connection: there each batch begins with what matters of them.
const batchSettings = sql`
  select pg_is_in_recovery() as "isFollower",
    set_config('timezone', 'UTC', true), set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`
// After a failover an address may lead to a server that only follows, and is behind: sessions that it has not received
// of yet would be refused, and their people signed out.
const followerCheck = sql`select pg_is_in_recovery() as "isFollower"`

/** Where to serve from, as `preparePostgres` found it. */
export type PostgresAddress = {
  /** The login that serves; it needs no rights but membership in the request roles. */
  readonly url: string
  /** Whether a pooler answers there: each batch may meet another connection. */
  readonly isPooled: boolean
  /** Where writes of other servers can be listened for; `null` leaves them to the change feed's clock. */
  readonly listenUrl: string | null
  /** Tells sessions that came in with the same password: it ends their `application_name`. */
  readonly passwordMark?: string | null
}

/** Opens the pool that serves requests: at most so many connections, one batch at a time on each. */
export function openPostgres(
  { url, isPooled, listenUrl, passwordMark = null }: PostgresAddress,
  {
    poolSize = poolSizeDefault,
    onLoginRefused = () => undefined,
  }: { poolSize?: number; onLoginRefused?: () => void } = {},
): Database {
  const named = (name: string) => (passwordMark === null ? name : `${name} ${passwordMark}`)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectWaitMs,
    application_name: named('finanzas'),
    keepAlive: true,
    ...(isPooled ? {} : sessionSettings),
  })
  // A connection that breaks while idle is replaced at the next request.
  pool.on('error', () => undefined)
  // One that breaks at work fails its batch; unheard, the event would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const prepared = new WeakMap<pg.PoolClient, PreparedStatements>()
  const listeners: (() => void)[] = []
  const tellListeners = () => {
    for (const listener of listeners) listener()
  }
  const others =
    listenUrl === null ? null : new WriteNotifier(listenUrl, named('finanzas listener'), tellListeners)

  return {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const client = await connectTo(pool, poolSize, onLoginRefused).catch(unavailable)
      let statementsOfClient = prepared.get(client)
      const preamble = [
        ...(isPooled ? [batchSettings] : statementsOfClient === undefined ? [followerCheck] : []),
        scopeStatement(scope),
      ]
      if (statementsOfClient === undefined) {
        statementsOfClient = new PreparedStatements({ isKept: !isPooled })
        prepared.set(client, statementsOfClient)
      }
      const batch = new WireBatch([...preamble, ...statements], statementsOfClient)
      try {
        await withinTime(silenceMaxMs, send(client, batch))
        if (batch.rowsOf(0)[0]?.['isFollower'] === true) throw new FollowsAnother()
        client.release()
      } catch (error) {
        client.release(true)
        // A pooler finds out only now.
        if (isPooled && isLoginRefusal(error)) onLoginRefused()
        return unavailable(error)
      }
      const rows = rowsOf(batch, scope).slice(preamble.length)
      if (scope.access === 'write') {
        tellListeners()
        others?.notify()
      }
      return rows as RowsOf<S>
    },
    running: () => pool.totalCount - pool.idleCount,
    onWrite(listener) {
      listeners.push(listener)
    },
    async close() {
      await others?.close()
      await pool.end()
    },
  }
}

/** Whether a pooler answers at an address: it makes up the process number that a server tells at the start. */
export async function answersThroughPooler(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectWaitMs })
  client.on('error', () => undefined)
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

/** Whether the database lets the login of the address in with its password. Throws `DatabaseUnavailable`. */
export async function mayLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectWaitMs })
  client.on('error', () => undefined)
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

/** Wrong password, or no right to log in. A pooler has error messages of its own. */
function isLoginRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code?.startsWith('28') === true) return true
  return error.code === '08P01' && /login has been failing|password authentication failed/.test(error.message)
}

/** Connects as the owner of all objects, for migrations. Throws `DatabaseUnavailable`. */
export async function connectOwner(url: string): Promise<Owner> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWaitMs,
    application_name: 'finanzas owner',
  })
  // Before connecting: the end may come with the same packet as the beginning.
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => notConnected(error, url))
  // Without names: a pooler's connections keep those of earlier clients.
  const prepared = new PreparedStatements({ isKept: false })
  return {
    async script(text) {
      await client.query(text).catch((error: unknown) => {
        if (!isAnswer(error)) notConnected(error, url)
        throw sqlErrorOf(errorMessage(error))
      })
    },
    async query<R>(statement: SqlStatement<R>) {
      const batch = new WireBatch([statement], prepared)
      // A pooler tells of a login that its server refuses only now.
      await send(client, batch).catch((error: unknown) => notConnected(error, url))
      return (batch.rows()[0] ?? []) as R[]
    },
    async close() {
      await client.end()
    },
  }
}

/** Puts a whole batch through `pg`'s queue: it hands the messages of the answer to whatever was submitted. */
function send(client: pg.ClientBase, batch: WireBatch): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (name: string) => (message?: object) => batch.take({ ...message, name })
    const parseComplete = take('parseComplete')
    client.query({
      submit(connection: pg.Connection) {
        // The one message that `pg` keeps to itself.
        connection.on('parseComplete', parseComplete)
        connection.once('readyForQuery', () => connection.off('parseComplete', parseComplete))
        connection.stream.write(batch.bytes)
      },
      handleRowDescription: take('rowDescription'),
      handleDataRow: take('dataRow'),
      handleCommandComplete: take('commandComplete'),
      handleEmptyQuery: take('emptyQuery'),
      handleReadyForQuery: () => resolve(),
      handleError(error: Error) {
        if (!isAnswer(error)) {
          reject(error)
          return
        }
        batch.take(errorMessage(error))
        // `pg` sends nothing on this connection before it is ready again.
        resolve()
      },
    } as pg.Submittable)
  })
}

/**
 * A connection of the pool; where the database refuses to make another one, the next of those that there are. Otherwise
 * a call of two database transactions would fail whenever the change feed reads what the first one wrote.
 */
async function connectTo(
  pool: pg.Pool,
  poolSize: number,
  onLoginRefused: () => void,
): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // Also while others serve: there are fewer of them from now on, until none is left.
    if (isLoginRefusal(error)) onLoginRefused()
    if (pool.totalCount === 0 || !(error instanceof pg.DatabaseError)) throw error
    pool.options.max = pool.totalCount
    setTimeout(() => (pool.options.max = poolSize), refusedConnectionRestMs).unref()
    return await pool.connect()
  }
}

/** The rows; throws `DatabaseUnavailable` where a write met a database that only reads at the moment. */
function rowsOf(batch: WireBatch, { access }: Scope) {
  try {
    return batch.rows()
  } catch (error) {
    // The operator or a full disk has set default_transaction_read_only: the second state is its refusal of our own scope.
    if (access === 'write' && error instanceof SqlError && ['25006', '25001'].includes(error.sqlState)) {
      throw new DatabaseUnavailable('The database only reads at the moment.', { cause: error })
    }
    throw error
  }
}

/** Whether a statement was refused; otherwise the connection is gone, or the server is closing it. */
function isAnswer(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC'
}

/** Rejects with `NoAnswer` after `maxMs`. */
async function withinTime<T>(maxMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(maxMs)), maxMs)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
    // It may still fail later.
    answer.catch(() => undefined)
  }
}

function errorMessage({ message, code, detail, hint, constraint }: pg.DatabaseError) {
  return { name: 'error', message, code, detail, hint, constraint }
}

function notConnected(cause: unknown, url: string): never {
  throw new DatabaseUnavailable('The database cannot be reached.', { cause, address: addressOf(url) })
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable('The database cannot be reached.', { cause: error })
}
