/**
 * The embedded engine: PGlite in a worker thread, one connection, one queue. Shares everything about
 * batches with PostgreSQL; only the way of the bytes differs.
 */
import { Worker } from 'node:worker_threads'
import { serialize } from 'pg-protocol'
import { Parser } from 'pg-protocol/dist/parser.js'
import { type Database, DatabaseUnavailable, type Owner, type RowsOf, type SqlStatement } from './database.ts'
import type { EngineReply, EngineRequest } from './pglite-worker.ts'
import { type Scope, scopeStatement } from './scope.ts'
import { PreparedStatements, type ServerMessage, WireBatch, sqlErrorOf } from './wire-batch.ts'

/** Requests that may wait for the one connection; more are turned away at once. */
const queueMax = 200
/** The engine knows no statement timeout: a batch that takes longer costs it its thread. */
const watchdogMs = 5000
/** How long after a failed opening the next one is tried, when somebody asks. */
const reopenAfterMs = 1000

type Waiting = { resolve: (answer: Uint8Array) => void; reject: (error: Error) => void; isOwner: boolean }

/** The thread with the engine, replaced by a new one when it is stuck; its data are safe by design. */
class Engine {
  readonly #directory: string
  #worker: Worker | null = null
  #opening: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #watchdog: NodeJS.Timeout | null = null
  #failedAt: number | null = null
  #ownerRequests = 0
  /** What the present thread's connection has prepared. */
  prepared = new PreparedStatements()

  constructor(directory: string) {
    this.#directory = directory
    this.#opening = this.#open()
  }

  /** Resolves once requests can be sent. Throws `DatabaseUnavailable` while the directory cannot be opened. */
  get opened(): Promise<void> {
    if (this.#failedAt !== null && Date.now() - this.#failedAt > reopenAfterMs)
      this.#reopen(Promise.resolve())
    return this.#opening
  }

  /** Sends bytes and answers with the engine's. The owner's work may take its time, everybody else is watched. */
  async send(bytes: Uint8Array, mode: { writes: boolean; owner: boolean }): Promise<Uint8Array> {
    await this.opened
    if (this.#waiting.size >= queueMax)
      throw new DatabaseUnavailable('Too many requests are waiting for the database.')
    const worker = this.#worker
    if (worker === null) throw new DatabaseUnavailable('The database is closed.')
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, isOwner: mode.owner })
      if (mode.owner) this.#ownerRequests += 1
      this.#watch()
      // A copy of its own can be handed over; a pooled buffer would be cloned with all that is in its pool.
      const own = new Uint8Array(bytes)
      worker.postMessage({ id, bytes: own, ...mode } satisfies EngineRequest, [own.buffer])
    })
  }

  async close(): Promise<void> {
    await this.#opening.catch(() => undefined)
    const worker = this.#worker
    if (worker === null) return
    this.#worker = null
    this.#unwatch()
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close')
    await exited
  }

  #open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('pglite-worker.ts', import.meta.url), {
        workerData: { directory: this.#directory },
      })
      worker.on('message', (reply: EngineReply) => {
        if (reply.kind === 'ready') {
          this.#worker = worker
          resolve()
        } else if (reply.kind === 'failed') {
          reject(new Error(reply.message))
          void worker.terminate()
        } else {
          this.#answer(reply.id, reply.bytes)
        }
      })
      worker.on('error', (error) => {
        reject(error)
        if (this.#worker === worker) this.#replace(error)
      })
    })
  }

  #answer(id: number, bytes: Uint8Array): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting?.isOwner === true) this.#ownerRequests -= 1
    // Progress: whoever is next has the whole time again.
    this.#unwatch()
    if (this.#waiting.size > 0) this.#watch()
    waiting?.resolve(bytes)
  }

  #watch(): void {
    // Who waits behind the owner's work waits for it.
    if (this.#ownerRequests > 0) this.#unwatch()
    else
      this.#watchdog ??= setTimeout(
        () => this.#replace(new Error(`No answer within ${watchdogMs} ms`)),
        watchdogMs,
      )
  }

  #unwatch(): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog)
    this.#watchdog = null
  }

  /** Ends the thread, tells everybody who waits, and opens a new one: crash recovery, nothing acknowledged is lost. */
  #replace(cause: Error): void {
    const worker = this.#worker
    this.#worker = null
    this.#unwatch()
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#ownerRequests = 0
    this.prepared = new PreparedStatements()
    this.#reopen(Promise.resolve(worker?.terminate()))
    for (const { reject } of lost)
      reject(new DatabaseUnavailable('The database did not answer in time.', { cause }))
  }

  #reopen(after: Promise<unknown>): void {
    this.#failedAt = null
    this.#opening = after
      .then(() => this.#open())
      .catch((error: unknown) => {
        this.#failedAt = Date.now()
        throw new DatabaseUnavailable('The database cannot be opened.', { cause: error })
      })
    // Whoever asks next meets the failure; nobody may be asking now.
    this.#opening.catch(() => undefined)
  }
}

/** Opens a directory that was initialised. The owner and the requests share the one connection. */
export async function openPglite(directory: string): Promise<{ database: Database; owner: Owner }> {
  const engine = new Engine(directory)
  await engine.opened
  const listeners: (() => void)[] = []

  const run = async (
    statements: readonly SqlStatement<unknown>[],
    mode: { writes: boolean; owner: boolean },
  ) => {
    await engine.opened
    const batch = new WireBatch(statements, engine.prepared)
    readAnswer(await engine.send(batch.bytes, mode), (message) => batch.take(message))
    return batch.rows()
  }
  return {
    database: {
      engine: 'pglite',
      async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
        const writes = scope.access === 'write'
        const [, ...rows] = await run([scopeStatement(scope), ...statements], { writes, owner: false })
        if (writes) for (const listener of listeners) listener()
        return rows as RowsOf<S>
      },
      onWrite(listener) {
        listeners.push(listener)
      },
      close: () => engine.close(),
    },
    owner: {
      async script(sql) {
        readAnswer(await engine.send(serialize.query(sql), { writes: true, owner: true }), (message) => {
          if (message.name === 'error')
            throw sqlErrorOf(message as unknown as Parameters<typeof sqlErrorOf>[0])
        })
      },
      async query<R>(statement: SqlStatement<R>) {
        const [rows = []] = await run([statement], { writes: true, owner: true })
        return rows as R[]
      },
      async close() {
        // The connection belongs to the database.
      },
    },
  }
}

function readAnswer(bytes: Uint8Array, take: (message: ServerMessage) => void): void {
  new Parser().parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (message) =>
    take(message),
  )
}
