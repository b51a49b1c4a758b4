/**
 * The thread that the embedded engine lives in. It takes batches of protocol bytes, runs what is
 * waiting one after the other, forces all of it to the disk once, and only then answers: group commit.
 * A read that was answered has therefore never seen anything that a power cut could take back.
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
 * A batch to run, where `owner` steps out of the login's rights for migrations and upkeep; or a copy of the
 * files to make, which blocks all later requests.
 */
export type EngineRequest = { readonly id: number } & (
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly writes: boolean; readonly owner: boolean }
  | { readonly copyTo: string }
)

/** `reason` is why a copy could not be made. */
export type EngineReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | ({ readonly kind: 'answer'; readonly id: number } & EngineAnswer)
  | { readonly kind: 'copied'; readonly id: number; readonly reason: string | null }

/** The message that every complete answer ends with: 'Z', its length, the transaction's state. */
const readyForQuery = 0x5a
const readyForQueryBytes = 6
/** The message that an answer to a failed statement begins with. */
const errorResponse = 0x45
/** The last byte of an answer after which a failed transaction block waits for its end. */
const failedBlock = 0x45

/** Batches that share one fsync. */
const groupMax = 64

const flush = serialize.query(
  // Commits in the group were asynchronous; this one is not, and the log is written in order.
  `select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'finanzas', '')`,
)

async function serve(directory: string, progress: WorkerHeartbeat): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('This file runs as a worker thread.')
  // Without a handle to wait on Node would wait for V8's compilations instead, one of which takes half a second.
  port.ref()
  const fileSystem = new DurableFileSystem(directory)
  // Left to itself the engine would make an empty database where it finds none, and the bank would be gone.
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
        heldBack.push({
          kind: 'copied',
          id: request.id,
          reason: copyFiles(engine, directory, request.copyTo),
        })
        continue
      }
      const { id, bytes, owner, writes } = request
      // The owner's checkpoints are what makes room.
      if (refusal !== null && writes && !owner) {
        heldBack.push({ kind: 'answer', id, bytes: refusal.slice(), isCut: false })
        continue
      }
      progress.begin(id)
      if (owner) becomeOwner(engine)
      const answer = { kind: 'answer', id, ...run(engine, bytes, owner ? Infinity : answerBytesMax) } as const
      // Nothing could be forced to the disk from inside a block that has failed.
      if (owner && answer.bytes.at(-1) === failedBlock) run(engine, serialize.query('rollback'))
      if (owner) becomeLogin(engine)
      hasWritten ||= writes
      // Before the group's first write there is nothing that could be taken back.
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

/**
 * Runs protocol bytes and returns the engine's. The streaming call is used because it runs to its end before
 * it returns, and because the plain one parses every answer once more and keeps what it parsed.
 */
function run(engine: PGlite, bytes: Uint8Array, bytesMax = Infinity): EngineAnswer {
  const collected = new AnswerCollector(bytesMax)
  // An error is not caught: the thread ends and is replaced.
  void engine.execProtocolRawStream(bytes, {
    syncToFs: false,
    // A chunk is a window on the engine's memory, which the next one moves under.
    onRawData: (chunk) => collected.add(chunk),
  })
  const answer = collected.answer()
  // A truncated answer would read as a transaction that answered nothing.
  if (answer.bytes.at(-readyForQueryBytes) !== readyForQuery)
    throw new Error('The engine broke off in the middle of an answer.')
  return answer
}

/** The engine's own session is a superuser. Requests get the rights of the login, which may only become a caller. */
function becomeLogin(engine: PGlite): void {
  // Fails before the first migrations have made the role, and is asked again after them.
  run(engine, serialize.query(becomeServingLogin))
}

function becomeOwner(engine: PGlite): void {
  // Not RESET: an engine without a server has no session user to go back to.
  run(engine, serialize.query('set session authorization postgres'))
}

/** Throws, and so ends the thread, when the log could not be forced to the disk: nothing may be acknowledged then. */
function flushToDisk(engine: PGlite): void {
  const answer = run(engine, flush)
  if (answer.bytes.at(0) === errorResponse) throw new Error('The log could not be forced to the disk.')
}

/**
 * Copies the files as they are after a checkpoint, while nothing else runs; returns what went wrong, or
 * `null`. Where the file system can share blocks, the copy takes no time and no space.
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

/** Refuses to serve from an engine whose commits do not reach the disk (docs/decisions/0010). */
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
  // The engine throws objects other than errors when its files are damaged.
  const message = error instanceof Error ? error.message : JSON.stringify(error)
  parentPort?.postMessage({ kind: 'failed', message } satisfies EngineReply)
})
