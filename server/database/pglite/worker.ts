/**
 * The embedded engine's thread. The thread uses group commit: it runs all waiting batches in turn, flushes their
 * commits to the disk together, and only then answers. A read therefore never returns data that a power cut could undo.
 */
import { constants, cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { answerBytesMax } from '@finanzas/contract/limits.ts'
import { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import { AnswerCollector, type EngineAnswer } from './answer-collector.ts'
import { diskFullAnswer } from '#data-directory/disk-space.ts'
import { DurableFileSystem } from './durable-file-system.ts'
import { becomeServingLogin, engineStartParameters } from './parameters.ts'
import { limitEngineMemory } from './engine-memory.ts'
import { WorkerHeartbeat, idle } from './heartbeat.ts'

/**
 * Work for the thread: run a batch, or copy the files. A copy blocks later requests. With `owner`, the batch runs with
 * the owner's rights, for migrations and upkeep.
 */
export type EngineWork =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly writes: boolean; readonly owner: boolean }
  | { readonly copyTo: string }

export type EngineRequest = { readonly id: number } & EngineWork

/** `reason` is the cause of a failed copy. */
export type EngineReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | ({ readonly kind: 'answer'; readonly id: number } & EngineAnswer)
  | { readonly kind: 'copied'; readonly id: number; readonly reason: string | null }

/** The message that ends every complete answer. The message consists of 'Z', its length and the transaction's state. */
const readyForQuery = 0x5a
const readyForQueryBytes = 6
/** The first byte of an answer to a failed statement. */
const errorResponse = 0x45
/** The last byte of an answer, if the transaction has failed and is still open. */
const failedBlock = 0x45

/** Maximum number of batches that share one fsync. */
const groupMax = 64

const flush = serialize.query(
  // The commits of the group were asynchronous, and this commit is synchronous. The log is written in order, so this
  // commit also flushes the commits of the group.
  `select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'finanzas', '')`,
)

async function serve(directory: string, progress: WorkerHeartbeat): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('This file runs as a worker thread.')
  // Keeps the event loop alive. If the loop became empty, Node.js would wait for V8's background compilations, one of
  // which takes half a second.
  port.ref()
  const fileSystem = new DurableFileSystem(directory)
  // In an empty directory, the engine would by default create a new database, without the bank's data.
  if (!existsSync(join(directory, 'PG_VERSION'))) throw new Error(`${directory} holds no database.`)
  limitEngineMemory()
  const engine = await PGlite.create({ fs: fileSystem, startParams: engineStartParameters })
  proveDurable(engine, fileSystem)
  run(engine, serialize.query('set synchronous_commit = off'))
  becomeLogin(engine)

  const waiting: EngineRequest[] = []
  const send = (reply: EngineReply) =>
    port.postMessage(reply, reply.kind === 'answer' ? [reply.bytes.buffer] : [])
  const runGroup = () => {
    const heldBack: EngineReply[] = []
    let hasWritten = false
    const refusal = diskFullAnswer(directory)
    for (const request of waiting.splice(0, groupMax)) {
      if ('copyTo' in request) {
        const reason = copyFiles(engine, directory, request.copyTo)
        heldBack.push({ kind: 'copied', id: request.id, reason })
        continue
      }
      const { id, owner, writes } = request
      // The owner may still write when the disk is full, because checkpoints free space.
      if (refusal !== null && writes && !owner) {
        heldBack.push({ kind: 'answer', id, bytes: refusal.slice(), isCut: false })
        continue
      }
      progress.begin(id)
      const answer = answerTo(engine, request)
      hasWritten ||= writes
      // Until the group's first write, an answer contains only data that is already on the disk.
      if (hasWritten) heldBack.push(answer)
      else send(answer)
    }
    progress.begin(idle)
    if (hasWritten) flushToDisk(engine)
    for (const answer of heldBack) send(answer)
    if (waiting.length > 0) setImmediate(runGroup)
  }
  port.on('message', (request: EngineRequest | 'close') => {
    if (request === 'close') {
      void engine.close().then(() => port.close())
      return
    }
    waiting.push(request)
    if (waiting.length === 1) setImmediate(runGroup)
  })
  port.postMessage({ kind: 'ready' } satisfies EngineReply)
}

/** Runs a request of the owner with the owner's rights, and any other request with those of the login. */
function answerTo(
  engine: PGlite,
  { id, bytes, owner }: Exclude<EngineRequest, { copyTo: string }>,
): Extract<EngineReply, { kind: 'answer' }> {
  if (owner) becomeOwner(engine)
  const answer = run(engine, bytes, owner ? Infinity : answerBytesMax)
  // The flush would fail in a failed transaction that is still open, so this transaction is rolled back first.
  if (owner && answer.bytes.at(-1) === failedBlock) run(engine, serialize.query('rollback'))
  if (owner) becomeLogin(engine)
  return { kind: 'answer', id, ...answer }
}

/**
 * Sends protocol bytes to the engine and returns its answer. Uses the streaming call, because it is synchronous. The
 * plain call would also parse every answer and keep the result.
 */
function run(engine: PGlite, bytes: Uint8Array, bytesMax = Infinity): EngineAnswer {
  const collected = new AnswerCollector(bytesMax)
  // An error from this call is not caught, because it must end the thread. The server then starts a new thread.
  void engine.execProtocolRawStream(bytes, {
    syncToFs: false,
    // Each chunk is a view of the engine's memory, and the next chunk overwrites that memory.
    onRawData: (chunk) => collected.add(chunk),
  })
  const answer = collected.answer()
  // Without this check, a truncated answer would look like a transaction without rows.
  if (answer.bytes.at(-readyForQueryBytes) !== readyForQuery)
    throw new Error('The engine broke off in the middle of an answer.')
  return answer
}

/**
 * Gives the session the rights of the serving login, which can only switch to a caller's role. By default, the engine's
 * session belongs to a superuser.
 */
function becomeLogin(engine: PGlite): void {
  // Fails before the first migrations, because they create the role. The statement runs again after every request of
  // the owner, and therefore also after the migrations.
  run(engine, serialize.query(becomeServingLogin))
}

function becomeOwner(engine: PGlite): void {
  // RESET would not work, because an engine without a server has no original session user.
  run(engine, serialize.query('set session authorization postgres'))
}

/**
 * Flushes the log to the disk. Throws if the flush fails. The error ends the thread, so that the group's commits are
 * not acknowledged.
 */
function flushToDisk(engine: PGlite): void {
  const answer = run(engine, flush)
  if (answer.bytes.at(0) === errorResponse) throw new Error('The log could not be forced to the disk.')
}

/**
 * Runs a checkpoint and copies the files while no request runs. Returns the error message, or `null`. With reflinks,
 * the copy takes almost no time and space.
 */
function copyFiles(engine: PGlite, directory: string, copyTo: string): string | null {
  becomeOwner(engine)
  const answer = run(engine, serialize.query('checkpoint'))
  becomeLogin(engine)
  if (answer.bytes.at(0) === errorResponse) return 'The checkpoint before the copy failed.'
  try {
    cpSync(directory, copyTo, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Commits a transaction and throws if this commit did not reach the disk (docs/decisions/0010). The error prevents the
 * engine from serving requests.
 */
function proveDurable(engine: PGlite, fileSystem: DurableFileSystem): void {
  const before = fileSystem.fsyncs
  flushToDisk(engine)
  if (fileSystem.fsyncs === before) {
    throw new Error(
      'A commit was not forced to the disk (no fsync): the engine is not durable and may not serve.',
    )
  }
}

const { directory, memory } = workerData as { directory: string; memory: SharedArrayBuffer }
serve(directory, new WorkerHeartbeat(memory)).catch((error: unknown) => {
  // An engine with damaged files throws objects that are not instances of `Error`.
  const message = error instanceof Error ? error.message : JSON.stringify(error)
  parentPort?.postMessage({ kind: 'failed', message } satisfies EngineReply)
})
