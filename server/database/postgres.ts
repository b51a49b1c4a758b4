/** PostgreSQL over TCP or a socket: a pool of connections, one batch at a time on each. */
import pg from 'pg'
import { type Database, DatabaseUnavailable, type Owner, type RowsOf, type SqlStatement } from './database.ts'
import { type Scope, scopeStatement } from './scope.ts'
import { PreparedStatements, sqlErrorOf, WireBatch } from './wire-batch.ts'

const connectionsMax = 8
const connectWaitMs = 5000
const statementTimeoutMs = 5000
/** A server that says nothing at all for so long is gone: its own timeout ends every statement before. */
const silenceMaxMs = statementTimeoutMs + 2000

// JSON shows times in the session's zone, and the wire has them in UTC. Statements are prepared once and
// run for ever: left to choose, PostgreSQL would plan each read with a `limit $n` anew.
const sessionSettings = '-c timezone=UTC -c plan_cache_mode=force_generic_plan'

/** Opens the pool that serves requests. The login needs no rights but membership in the request roles. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectWaitMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'finanzas',
    keepAlive: true,
    options: sessionSettings,
  })
  // A connection that breaks while idle is replaced at the next request.
  pool.on('error', () => undefined)
  // One that breaks at work fails its batch; unheard, the event would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const prepared = new WeakMap<pg.PoolClient, PreparedStatements>()
  const listeners: (() => void)[] = []

  return {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const client = await pool.connect().catch(unavailable)
      let statementsOfClient = prepared.get(client)
      if (statementsOfClient === undefined) {
        statementsOfClient = new PreparedStatements()
        prepared.set(client, statementsOfClient)
      }
      const batch = new WireBatch([scopeStatement(scope), ...statements], statementsOfClient)
      try {
        await withinTime(send(client, batch))
        client.release()
      } catch (error) {
        client.release(true)
        return unavailable(error)
      }
      const [, ...rows] = batch.rows()
      if (scope.access === 'write') for (const listener of listeners) listener()
      return rows as RowsOf<S>
    },
    onWrite(listener) {
      listeners.push(listener)
    },
    async close() {
      await pool.end()
    },
  }
}

/** Connects as the owner of all objects, for migrations. Throws `DatabaseUnavailable`. */
export async function connectOwner(url: string): Promise<Owner> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWaitMs,
    application_name: 'finanzas owner',
  })
  await client.connect().catch(unavailable)
  client.on('error', () => undefined)
  const prepared = new PreparedStatements()
  return {
    async script(sql) {
      await client.query(sql).catch((error: unknown) => {
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

/** Gives up on a connection that does not answer; whoever waits is told, and the connection is thrown away. */
async function withinTime(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${silenceMaxMs} ms`)), silenceMaxMs)
  })
  try {
    await Promise.race([answer, silence])
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
