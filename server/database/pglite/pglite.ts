/**
 * The embedded engine: PGlite in a worker thread with one connection and one queue. The same code builds the batches
 * for this engine and for a PostgreSQL server. The two engines differ only in how the bytes are transported.
 */
import { Worker } from 'node:worker_threads'
import {
  type Database,
  DatabaseUnavailable,
  NoAnswer,
  type Owner,
  type RowsOf,
  type Scope,
  SqlError,
  type SqlStatement,
} from '#database/database.ts'
import { DataDirectoryError } from '#data-directory/data-directory.ts'
import { freeBytes, megabytes } from '#data-directory/disk-space.ts'
import { WorkerHeartbeat } from './heartbeat.ts'
import type { EngineAnswer } from './answer-collector.ts'
import type { EngineReply, EngineRequest, EngineWork } from './worker.ts'
import { scopeStatement } from '#database/scope.ts'
import { MessageReader } from '#database/server-messages.ts'
import { type Exchange, PreparedStatements, WireBatch, WireScript } from '#database/wire-batch.ts'

/**
 * The engine has no statement timeout, so the server terminates the engine's thread when a batch takes longer than this
 * limit.
 */
const watchdogMs = 5000
/** Time after a failed attempt to open the directory during which requests do not cause another attempt. */
const reopenAfterMs = 1000

type Waiting = {
  resolve: (answer: EngineAnswer) => void
  reject: (error: Error) => void
  isOwner: boolean
}
type Mode = { writes: boolean; owner: boolean }

/**
 * The thread that runs the engine. A thread that hangs can be replaced, because all acknowledged data is on the disk.
 */
class Engine {
  readonly #directory: string
  #worker: Worker | null = null
  #opening: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #watchdog: NodeJS.Timeout | null = null
  #progress = new WorkerHeartbeat()
  #failedAt: number | null = null
  #ownerRequests = 0
  /** Statements that the current thread's connection has prepared. */
  prepared = new PreparedStatements({ isKept: true })

  constructor(directory: string) {
    this.#directory = directory
    this.#opening = this.#open()
  }

  /** Resolves once requests can be sent. Rejects with `DatabaseUnavailable` if the directory cannot be opened. */
  get opened(): Promise<void> {
    if (this.#failedAt !== null && Date.now() - this.#failedAt > reopenAfterMs)
      this.#reopen(Promise.resolve())
    return this.#opening
  }

  /** Sends a request. The watchdog does not limit the owner's requests. */
  send(bytes: Uint8Array, { writes, owner }: Mode): Promise<EngineAnswer> {
    // Copies the bytes, because a pooled buffer cannot be transferred and would be cloned with its whole pool.
    return this.#submit({ bytes: new Uint8Array(bytes), writes, owner })
  }

  /** Number of requests that the thread has not answered yet. */
  get size(): number {
    return this.#waiting.size
  }

  /** Copies the engine's files to a new directory, between two requests. */
  async copyTo(directory: string): Promise<void> {
    await this.#submit({ copyTo: directory })
  }

  async #submit(request: EngineWork): Promise<EngineAnswer> {
    await this.opened
    const worker = this.#worker
    if (worker === null) throw new DatabaseUnavailable('The database is closed.')
    this.#lastId += 1
    const id = this.#lastId
    const isOwner = 'copyTo' in request || request.owner
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, isOwner })
      if (isOwner) this.#ownerRequests += 1
      this.#watch()
      const handedOver = 'bytes' in request ? [request.bytes.buffer] : []
      worker.postMessage({ id, ...request } satisfies EngineRequest, handedOver)
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
      this.#progress = new WorkerHeartbeat()
      const worker = new Worker(new URL('worker.ts', import.meta.url), {
        workerData: { directory: this.#directory, memory: this.#progress.memory },
      })
      worker.on('message', (reply: EngineReply) => {
        if (reply.kind === 'ready') {
          this.#worker = worker
          resolve()
        } else if (reply.kind === 'failed') {
          reject(new Error(reply.message))
          void worker.terminate()
        } else if (reply.kind === 'answer') {
          this.#answered(reply.id)?.resolve(reply)
        } else {
          const waiting = this.#answered(reply.id)
          if (reply.reason === null) waiting?.resolve({ bytes: new Uint8Array(), isCut: false })
          else waiting?.reject(new Error(`The database's files could not be copied: ${reply.reason}`))
        }
      })
      worker.on('error', (error) => {
        reject(error)
        if (this.#worker === worker) this.#replace(error)
      })
    })
  }

  #answered(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting?.isOwner === true) this.#ownerRequests -= 1
    // The thread has made progress, so the time limit of the next request starts now.
    this.#unwatch()
    if (this.#waiting.size > 0) this.#watch()
    return waiting
  }

  #watch(): void {
    // Requests that wait behind an owner's request have no time limit.
    if (this.#ownerRequests > 0) this.#unwatch()
    else this.#watchdog ??= setTimeout(() => this.#check(), watchdogMs)
  }

  /**
   * Called when the engine has sent no answer for `watchdogMs`. The running request may have started only recently,
   * because the engine sends the answers to several requests together.
   */
  #check(): void {
    const { id, ms } = this.#progress.running
    if (ms < watchdogMs) {
      this.#watchdog = setTimeout(() => this.#check(), watchdogMs - ms)
      return
    }
    const overran = this.#waiting.get(id)
    this.#waiting.delete(id)
    this.#replace(new NoAnswer(watchdogMs))
    // The request that took too long gets PostgreSQL's error for a statement timeout, which is not retryable. All other
    // requests to the thread get retryable errors.
    overran?.reject(
      new SqlError({ sqlState: '57014', message: 'canceling statement due to statement timeout' }),
    )
  }

  #unwatch(): void {
    if (this.#watchdog !== null) clearTimeout(this.#watchdog)
    this.#watchdog = null
  }

  /**
   * Replaces the thread and rejects the requests that it has not answered. The new thread recovers all acknowledged
   * data.
   */
  #replace(cause: Error): void {
    const worker = this.#worker
    this.#worker = null
    this.#unwatch()
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#ownerRequests = 0
    this.prepared = new PreparedStatements({ isKept: true })
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
    // The next request receives this error. Nothing awaits the promise before the next request, so the rejection must
    // be marked as handled.
    this.#opening.catch(() => undefined)
  }
}

/** The mode in which migrations and upkeep run. */
const asOwner: Mode = { writes: true, owner: true }

/** An embedded engine. The owner and the requests share the engine's only connection. */
export type EmbeddedEngine = {
  readonly database: Database
  readonly owner: Owner
  /**
   * Copies the files to a new directory while requests wait. If the copy fails, throws an `Error` with the file
   * system's message.
   */
  readonly copyTo: (directory: string) => Promise<void>
}

/** Opens an initialised directory. */
export async function openPglite(directory: string): Promise<EmbeddedEngine> {
  const engine = new Engine(directory)
  await engine.opened.catch((error: unknown) => {
    throw cannotOpen(directory, error)
  })
  const listeners: (() => void)[] = []

  const exchange = async (sent: Exchange, mode: Mode) => {
    const { bytes, isCut } = await engine.send(sent.bytes, mode)
    const reader = new MessageReader((letter, payload) => sent.take(letter, payload))
    reader.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (isCut) sent.drop()
  }
  const run = async (statements: readonly SqlStatement<unknown>[], mode: Mode) => {
    await engine.opened
    const batch = new WireBatch(statements, engine.prepared)
    await exchange(batch, mode)
    return batch
  }
  return {
    database: {
      engine: 'pglite',
      async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
        const writes = scope.access === 'write'
        const batch = await run([scopeStatement(scope), ...statements], { writes, owner: false })
        const rows = batch.rows(1)
        if (writes) for (const listener of listeners) listener()
        return rows as RowsOf<S>
      },
      running: () => engine.size,
      onWrite(listener) {
        listeners.push(listener)
      },
      close: () => engine.close(),
    },
    owner: {
      async script(sql) {
        const script = new WireScript(sql)
        await exchange(script, asOwner)
        script.finish()
      },
      async query<R>(statement: SqlStatement<R>) {
        const batch = await run([statement], asOwner)
        const [rows = []] = batch.rows()
        return rows as R[]
      },
      async close() {
        // Closes nothing: the owner shares the connection of `database`, and `database.close` closes this connection.
      },
    },
    copyTo: (directory) => engine.copyTo(directory),
  }
}

/** Explains why a bank's files cannot be opened. */
function cannotOpen(directory: string, error: unknown): DataDirectoryError {
  const said = error instanceof Error ? error.message : String(error)
  const free = megabytes(freeBytes(directory))
  return new DataDirectoryError(
    free < openingMb
      ? `El disco de ${directory} tiene ${free} MB libres; el banco necesita ${openingMb} MB para abrirse.`
      : `La base de datos de ${directory} no se puede abrir: ${said}. ` +
          'Restaura la última copia en un DATA_DIR nuevo: npm run restore -- ARCHIVO',
    { cause: error },
  )
}

/** Free space that crash recovery needs for its write-ahead log. */
const openingMb = 16
