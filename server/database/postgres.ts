/** PostgreSQL over TCP or a socket: a pool of connections, one batch at a time on each. */
import pg from 'pg'
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type Owner,
  type RowsOf,
  type SqlStatement,
  sql,
} from './database.ts'
import { OtherWriters } from './other-writers.ts'
import { type Scope, scopeStatement } from './scope.ts'
import { PreparedStatements, sqlErrorOf, WireBatch } from './wire-batch.ts'

/** Connections that serve requests, unless the operator says otherwise. */
export const poolSizeUsual = 8
const connectWaitMs = 5000
/**
 * Batches that may wait for a connection; who comes then is turned away at once (docs/decisions/0034): sockets, for
 * requests stand in a line before. A server that carries out 1,000 batches a second lets nobody wait for longer than half of one.
 */
const waitingMax = 500
const statementTimeoutMs = 5000
/** A server that says nothing at all for so long is gone: its own timeout ends every statement before. */
const silenceMaxMs = statementTimeoutMs + 2000
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
// After a failover an address may lead to a server that only follows, and is behind: sessions that it has not heard
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
}

/** Opens the pool that serves requests: at most so many connections, one batch at a time on each. */
export function openPostgres(
  { url, isPooled, listenUrl }: PostgresAddress,
  { poolSize = poolSizeUsual }: { poolSize?: number } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectWaitMs,
    application_name: 'finanzas',
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
  let refused = 0
  const others = listenUrl === null ? null : new OtherWriters(listenUrl, tellListeners)

  return {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      if (pool.waitingCount >= waitingMax && scope.isNeverTurnedAway !== true) {
        refused += 1
        throw new DatabaseBusy('Too many requests are waiting for the database.')
      }
      const client = await pool.connect().catch(unavailable)
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
        if (batch.rowsOf(0)[0]?.['isFollower'] === true)
          throw new Error('The server at this address follows another one.')
        client.release()
      } catch (error) {
        client.release(true)
        return unavailable(error)
      }
      const rows = batch.rows().slice(preamble.length)
      if (scope.access === 'write') {
        tellListeners()
        others?.tell()
      }
      return rows as RowsOf<S>
    },
    load: () => ({ running: pool.totalCount - pool.idleCount, waiting: pool.waitingCount, refused }),
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
  await client.connect().catch(unavailable)
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return (client as pg.Client & { processID: number }).processID !== rows[0]?.pid
  } finally {
    await client.end()
  }
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
  await client.connect().catch(unavailable)
  // Without names: a pooler may answer here, whose connections know those of whoever was there before.
  const prepared = new PreparedStatements({ isKept: false })
  return {
    async script(text) {
      await client.query(text).catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? sqlErrorOf(errorMessage(error)) : error
      })
    },
    async query<R>(statement: SqlStatement<R>) {
      const batch = new WireBatch([statement], prepared)
      await send(client, batch)
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
        // Not an answer to the batch: the connection is gone, or the server is closing it.
        if (
          !(error instanceof pg.DatabaseError) ||
          error.severity === 'FATAL' ||
          error.severity === 'PANIC'
        ) {
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

/** Gives up on an answer that does not come; whoever waits is told. */
async function withinTime<T>(maxMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${Math.round(maxMs)} ms`)), maxMs)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
    // Given up, it may still fail: nobody is left to hear of it.
    answer.catch(() => undefined)
  }
}

function errorMessage({ message, code, detail, hint, constraint }: pg.DatabaseError) {
  return { name: 'error', message, code, detail, hint, constraint }
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable('The database cannot be reached.', { cause: error })
}
