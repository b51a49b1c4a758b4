/** Connections that serve requests. Short reads share a connection; every longer batch uses a connection of its own. */
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import pg from 'pg'
import { PreparedStatements } from '#database/wire-batch.ts'
import { Pipeline } from './pipeline.ts'

/**
 * Maximum number of shared connections. When all shared connections are busy, a batch joins the connection with the
 * fewest batches.
 */
const sharedMax = 2
/** If every shared connection has this many batches, the pool shares another connection. */
const batchesMax = 16
/** A shared connection counts as busy while one of its batches has waited longer than this time. */
const stalledAfterMs = 20
/** After the database refuses a connection, the pool does not grow for this time. */
const refusedConnectionRestMs = 2000

/** A connection that one batch may use until the batch releases it. */
export type Lease = {
  readonly pipeline: Pipeline
  readonly prepared: PreparedStatements
  release(): void
}

export type ConnectionsOptions = {
  readonly poolSize: number
  /** True behind a pooler. Behind a pooler, statements do not stay prepared, and batches do not share connections. */
  readonly isPooled: boolean
  readonly client: pg.ClientConfig
  /** Time within which the database must answer a batch. Otherwise the pool closes the batch's connection. */
  readonly silenceMaxMs: number
  /** Checks each new connection before a batch can use the connection. Throws if the connection must not be used. */
  readonly verify: (client: pg.ClientBase) => Promise<void>
  readonly onLoginRefused: () => void
}

type Connection = Omit<Lease, 'release'> & { readonly client: pg.PoolClient; batches: number }

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pool: pg.Pool
  readonly #known = new WeakMap<pg.ClientBase, Connection>()
  readonly #shared = new Set<Connection>()
  /** A connection that is currently being opened and will be shared. */
  #opening: Promise<Connection> | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      ...options.client,
      // This limit applies only to the check of a new connection. The pipeline has the time limit for batches.
      query_timeout: options.silenceMaxMs,
      max: options.poolSize,
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool awaits the callback, though its types do not say so.
      onConnect: async (client) => {
        // When the connection breaks, its batches fail. Without this listener, the event would also end the process.
        client.on('error', () => undefined)
        await options.verify(client)
        const prepared = new PreparedStatements({ isKept: !options.isPooled })
        this.#known.set(client, {
          client: client as pg.PoolClient,
          pipeline: new Pipeline(client, {
            silenceMaxMs: options.silenceMaxMs,
            messageBytesMax: answerBytesMax,
          }),
          prepared,
          batches: 0,
        })
      },
    })
    // If an idle connection breaks, the next request opens another connection.
    this.#pool.on('error', () => undefined)
  }

  async lease(isShort: boolean): Promise<Lease> {
    const isShared = isShort && !this.#options.isPooled
    const connection = isShared ? await this.#share() : await this.#connect()
    return { ...connection, release: () => this.#release(connection) }
  }

  /** Returns the number of connections in use. */
  running(): number {
    return this.#pool.totalCount - this.#pool.idleCount
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  #release(connection: Connection): void {
    connection.batches -= 1
    if (connection.batches > 0) return
    this.#shared.delete(connection)
    connection.client.release(connection.pipeline.isBroken)
  }

  /** Adds a batch to a shared connection. The batch is counted before any waiting, so that concurrent calls see it. */
  async #share(): Promise<Connection> {
    for (;;) {
      const joined = this.#join()
      if (joined !== null) return joined
      if (this.#opening === null) return await this.#open()
      try {
        await this.#opening
      } catch (error) {
        const freed = this.#join()
        if (freed !== null) return freed
        throw error
      }
    }
  }

  /**
   * Adds the batch to an open shared connection. Returns `null` if the pool should share another connection instead.
   */
  #join(): Connection | null {
    const whole = [...this.#shared].filter(({ pipeline }) => !pipeline.isBroken)
    const joined =
      whole.find(({ batches, pipeline }) => batches < batchesMax && pipeline.waitedMs() < stalledAfterMs) ??
      (whole.length < sharedMax ? undefined : whole.toSorted((one, other) => one.batches - other.batches)[0])
    if (joined === undefined) return null
    joined.batches += 1
    return joined
  }

  /** Opens a shared connection for the batch. Later batches may join this connection. */
  #open(): Promise<Connection> {
    const opening = this.#connect().then((connection) => {
      this.#shared.add(connection)
      return connection
    })
    this.#opening = opening.finally(() => (this.#opening = null))
    return this.#opening
  }

  /** Takes a connection from the pool and counts its first batch. */
  async #connect(): Promise<Connection> {
    const connection = this.#known.get(await this.#takeFromPool())
    if (connection === undefined)
      throw new Error('The pool has handed out a connection that it never opened.')
    connection.batches += 1
    return connection
  }

  /**
   * Takes a connection from the pool. If the database refuses to open another connection, waits until an open
   * connection is free. Without this wait, a call that runs two database transactions could fail: the change feed may
   * take the last connection to read the first transaction's writes.
   */
  async #takeFromPool(): Promise<pg.PoolClient> {
    const pool = this.#pool
    try {
      return await pool.connect()
    } catch (error) {
      // Reports a refused login even if other connections still work, because the pool can no longer open connections.
      if (isLoginRefusal(error)) this.#options.onLoginRefused()
      if (pool.totalCount === 0 || !(error instanceof pg.DatabaseError)) throw error
      pool.options.max = pool.totalCount
      setTimeout(() => (pool.options.max = this.#options.poolSize), refusedConnectionRestMs).unref()
      return await pool.connect()
    }
  }
}

/**
 * Checks whether the error reports a wrong password or a missing right to log in. Poolers use other messages for these
 * errors.
 */
export function isLoginRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code?.startsWith('28') === true) return true
  return error.code === '08P01' && /login has been failing|password authentication failed/.test(error.message)
}
