/** The connections that serve: short reads share some of them, everything else has one of its own. */
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import pg from 'pg'
import { PreparedStatements } from '#database/wire-batch.ts'
import { Pipeline } from './pipeline.ts'

/** Connections that are shared at once; beyond these the one with the fewest batches takes more. */
const sharedMax = 2
/** Batches on a shared connection before the other one is taken. */
const batchesMax = 16
/** Wait of a batch after which its shared connection gets no other batch until it has answered. */
const stalledAfterMs = 20
/** Pause in the pool's growth after a refused connection. */
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
  /** Longest wait for the answer to one batch before its connection is closed. */
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
  #opening: Promise<Connection> | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      ...options.client,
      // Limit for the check of a new connection; batches have the pipeline's own limit.
      query_timeout: options.silenceMaxMs,
      max: options.poolSize,
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for it, which its types do not say.
      onConnect: async (client) => {
        // One that breaks fails its batches; without a listener the event would end the process as well.
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
    // A connection that breaks while idle is replaced at the next request.
    this.#pool.on('error', () => undefined)
  }

  async lease(isShort: boolean): Promise<Lease> {
    const isShared = isShort && !this.#options.isPooled
    const connection = isShared ? await this.#share() : await this.#connect()
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

  /** Adds a batch to a shared connection. Batches are counted before anything is waited for. */
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

  /** `null` where another connection should be shared as well. */
  #join(): Connection | null {
    const whole = [...this.#shared].filter(({ pipeline }) => !pipeline.isBroken)
    const joined =
      whole.find(({ batches, pipeline }) => batches < batchesMax && pipeline.waitedMs() < stalledAfterMs) ??
      (whole.length < sharedMax ? undefined : whole.toSorted((one, other) => one.batches - other.batches)[0])
    if (joined === undefined) return null
    joined.batches += 1
    return joined
  }

  /** A connection for the batch that asks, which others may join. */
  #open(): Promise<Connection> {
    const opening = this.#connect().then((connection) => {
      this.#shared.add(connection)
      return connection
    })
    this.#opening = opening.finally(() => (this.#opening = null))
    return this.#opening
  }

  /** A connection with one batch. */
  async #connect(): Promise<Connection> {
    const connection = this.#known.get(await this.#takeFromPool())
    if (connection === undefined)
      throw new Error('The pool has handed out a connection that it never opened.')
    connection.batches += 1
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
      // Reported even while other connections serve, because their number only shrinks from now on.
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
