/**
 * Carries out the periodic work of the bank (docs/decisions/0095). The table `private.jobs` says how often each job
 * runs and whether only one server at a time carries it out. Every server asks for its turn; the database decides.
 */
import { randomUUID } from 'node:crypto'
import { CoalescedTask } from '#database/coalesced-task.ts'
import {
  type Database,
  DatabaseUnavailable,
  type Scope,
  type SqlStatement,
  isTransient,
  sql,
} from '#database/database.ts'
import { asService } from '#database/scope.ts'

/** A turn of a job that the server itself carries out. The server holds the job's lease meanwhile. */
export type Turn = {
  /** Aborted when the server shuts down, and when another server has taken over the lease. */
  readonly signal: AbortSignal
  /** Extends the lease. Throws if another server has taken over the lease. The lease is also extended by a timer. */
  readonly renew: () => Promise<void>
}

export type Job = {
  /** The name in `private.jobs`. */
  readonly name: string
  /** The line of the log when a turn fails. */
  readonly failure: string
  /** Carries out a turn. Without this function, the database carries out the job (`private.run_job`). */
  readonly run?: (turn: Turn) => Promise<void>
  /** Time between the start of the server and its first turn; 0 if not set. */
  readonly firstAfterMs?: number
  /** Pause, in seconds, that is long enough before the first turn of a starting server. Only for a job with `run`. */
  readonly firstPauseSeconds?: number
}

export type RunningJobs = {
  /** Carries out the job at once, for a job that each server carries out. */
  readonly wake: (name: string) => void
  /** Waits for the current turns and prevents further turns. */
  readonly close: () => Promise<void>
}

/** Longest pause before a server asks again, so that a turn that another server gave up does not wait for long. */
const pauseSecondsMax = 60
/** Pause after a turn that failed. */
const retrySeconds = 60
/** A quarter of the shortest lease. */
const renewMs = 15_000

/** Runs the jobs until `close` is called. A job that fails is logged and tried again; the other jobs go on. */
export function runJobs(
  database: Pick<Database, 'transaction'>,
  jobs: readonly Job[],
  onFailure: (error: unknown, job: Job) => void,
): RunningJobs {
  const asked = askerOf(database)
  const running = new Map(
    jobs.map((job) => [job.name, new RunningJob(job, asked, (error) => onFailure(error, job))]),
  )
  return {
    wake: (name) => running.get(name)?.wake(),
    async close() {
      await Promise.all([...running.values()].map((job) => job.close()))
    },
  }
}

class RunningJob {
  readonly #job: Job
  readonly #asked: Asked
  readonly #task: CoalescedTask
  readonly #end = new AbortController()
  #isFirst = true
  #timer: NodeJS.Timeout | undefined

  constructor(job: Job, asked: Asked, onFailure: (error: unknown) => void) {
    this.#job = job
    this.#asked = asked
    this.#task = new CoalescedTask(() => this.#ask(), onFailure)
    if (job.firstAfterMs === undefined) this.wake()
    else this.#askAfter(job.firstAfterMs)
  }

  wake(): void {
    this.#task.run()
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#task.close()
    clearTimeout(this.#timer)
  }

  #askAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), ms).unref()
  }

  async #ask(): Promise<void> {
    const { name, run } = this.#job
    let pauseSeconds = retrySeconds
    try {
      pauseSeconds = run === undefined ? await this.#asked.runJob(name) : await this.#takeTurn(run)
    } finally {
      if (pauseSeconds === 0) this.wake()
      else this.#askAfter(Math.min(pauseSeconds, pauseSecondsMax) * 1000)
    }
  }

  async #takeTurn(run: NonNullable<Job['run']>): Promise<number> {
    const { name, firstPauseSeconds } = this.#job
    if (this.#isFirst && firstPauseSeconds !== undefined) await this.#asked.hasten(name, firstPauseSeconds)
    this.#isFirst = false
    const { isOurs, waitSeconds } = await this.#asked.lease(name)
    if (!isOurs) return waitSeconds
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#end.signal, lost.signal])
    const renew = async () => {
      const renewed = await this.#asked.lease(name)
      if (!renewed.isOurs) lost.abort(new Error(`Another server carries out the job "${name}" now.`))
      signal.throwIfAborted()
    }
    let renewing = Promise.resolve()
    const timer = setInterval(() => {
      renewing = renew().catch(() => undefined)
    }, renewMs)
    let failure: { readonly cause: unknown } | null = null
    try {
      await run({ signal, renew })
    } catch (cause) {
      failure = { cause }
    } finally {
      clearInterval(timer)
      await renewing
    }
    // A turn that was interrupted stays due. A turn that failed would fail again, and waits for the next time.
    const isInterrupted = failure !== null && (signal.aborted || isOutage(failure.cause))
    const pauseSeconds = await this.#asked.release(name, !isInterrupted)
    if (failure !== null && !signal.aborted) throw failure.cause
    return isInterrupted ? retrySeconds : pauseSeconds
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isTransient(error)
}

type Asked = ReturnType<typeof askerOf>

function askerOf(database: Pick<Database, 'transaction'>) {
  const server = randomUUID()
  const scope: Scope = { ...asService('supabase_auth_admin', 'write'), isStaff: true }
  // One at a time, so that the jobs take one connection of a starting server and not ten.
  let last: Promise<unknown> = Promise.resolve()
  const one = async <R>(statement: SqlStatement<R>): Promise<R> => {
    const answered = last.then(() => database.transaction(scope, [statement]))
    last = answered.catch(() => undefined)
    const [[row]] = await answered
    if (row === undefined) throw new Error('The database did not answer.')
    return row
  }
  return {
    /** Carries out a portion of the job in the database. Returns the pause in seconds, or 0 if more may follow. */
    runJob: async (name: string) =>
      (await one(sql<{ pause: number }>`select private.run_job(${name}) as pause`)).pause,
    lease: (name: string) =>
      one(sql<{ isOurs: boolean; waitSeconds: number }>`
        select l.is_ours as "isOurs", l.wait_seconds as "waitSeconds" from private.lease_job(${name}, ${server}) l`),
    release: async (name: string, isDone: boolean) =>
      (await one(sql<{ pause: number }>`select private.release_job(${name}, ${server}, ${isDone}) as pause`))
        .pause,
    hasten: (name: string, pauseSeconds: number) =>
      one(sql`select private.hasten_job(${name}, make_interval(secs => ${pauseSeconds}))`),
  }
}
