/** The connections that serve: short reads share some of them, everything else has one of its own. */
import pg from 'pg'
import { PreparedStatements } from '#database/wire-batch.ts'
import { Pipeline } from './pipeline.ts'

/** Batches on a shared connection; the next one shares another connection. */
const batchesMax = 16
/** A shared connection that works on one batch for so long gets no other one until it has answered. */
const stalledAfterMs = 20
/** After a refused connection the pool does not grow for so long. */
const refusedConnectionRestMs = 2000

/** A connection for one batch, until it is released. */
export type Lease = {
  readonly pipeline: Pipeline
  readonly prepared: PreparedStatements
  release(): void
}

export type ConnectionsOptions = {
  readonly poolSize: number
  /** Whether a statement stays prepared, and whether connections can be shared. */
  readonly isPooled: boolean
  readonly client: pg.ClientConfig
  /** A connection that does not answer one batch for so long is closed. */
  readonly silenceMaxMs: number
  /** Looks at each new connection before it serves; may throw. */
  readonly verify: (client: pg.ClientBase) => Promise<void>
  readonly onLoginRefused: () => void
}

type Connection = Omit<Lease, 'release'> & { readonly client: pg.PoolClient; batches: number }

export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pool: pg.Pool
  readonly #known = new WeakMap<pg.ClientBase, Connection>()
  readonly #shared = new Set<Connection>()
  /** The connection that is being taken to be shared. */
  #joining: Promise<Connection> | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      ...options.client,
      max: options.poolSize,
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for it, which its types do not say.
      onConnect: async (client) => {
        // One that breaks fails its batches; without a listener the event would end the process as well.
        client.on('error', () => undefined)
        await options.verify(client)
        const prepared = new PreparedStatements({ isKept: !options.isPooled })
        this.#known.set(client, {
          client: client as pg.PoolClient,
          pipeline: new Pipeline(client, options.silenceMaxMs),
          prepared,
          batches: 0,
        })
      },
    })
    // A connection that breaks while idle is replaced at the next request.
    this.#pool.on('error', () => undefined)
  }

  async lease(isShort: boolean): Promise<Lease> {
    const isShared = isShort && !this.#options.isPooled
    const connection = isShared ? (this.#join() ?? (await this.#share())) : await this.#connect()
    connection.batches += 1
    return { ...connection, release: () => this.#release(connection) }
  }

  /** Connections at work. */
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

  /** The first shared connection with room; `null` where another one should be taken. */
  #join(): Connection | null {
    for (const shared of this.#shared)
      if (shared.batches < batchesMax && shared.pipeline.runningMs() < stalledAfterMs) return shared
    return null
  }

  /** Another connection to share; reads that come together wait for the same one. */
  async #share(): Promise<Connection> {
    this.#joining ??= this.#connect().finally(() => (this.#joining = null))
    const connection = await this.#joining
    this.#shared.add(connection)
    return this.#join() ?? connection
  }

  async #connect(): Promise<Connection> {
    const connection = this.#known.get(await this.#takeFromPool())
    if (connection === undefined)
      throw new Error('The pool has handed out a connection that it never opened.')
    return connection
  }

  /**
   * A connection of the pool; where the database refuses to make another one, the next of those that there are. Otherwise
   * a call of two database transactions would fail whenever the change feed reads what the first one wrote.
   */
  async #takeFromPool(): Promise<pg.PoolClient> {
    const pool = this.#pool
    try {
      return await pool.connect()
    } catch (error) {
      // Also while others serve: there are fewer of them from now on, until none is left.
      if (isLoginRefusal(error)) this.#options.onLoginRefused()
      if (pool.totalCount === 0 || !(error instanceof pg.DatabaseError)) throw error
      pool.options.max = pool.totalCount
      setTimeout(() => (pool.options.max = this.#options.poolSize), refusedConnectionRestMs).unref()
      return await pool.connect()
    }
  }
}

/** Wrong password, or no right to log in. A pooler has error messages of its own. */
export function isLoginRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code?.startsWith('28') === true) return true
  return error.code === '08P01' && /login has been failing|password authentication failed/.test(error.message)
}
