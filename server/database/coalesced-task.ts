import { DatabaseUnavailable, isTransient } from './database.ts'

/**
 * A background task that never runs twice at the same time. Any number of calls during a run cause a single run
 * afterwards. The task ignores transient errors, because a timer calls it again. The task reports every other error,
 * but reports a repeated error again only after a run has succeeded.
 */
export class CoalescedTask {
  readonly #work: () => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #running: Promise<void> | null = null
  #isAsked = false
  #isClosed = false
  #reported: string | null = null

  constructor(work: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#work = work
    this.#onFailure = onFailure
  }

  run(): void {
    if (this.#isClosed) return
    this.#isAsked = true
    this.#running ??= this.#runWhileAsked()
  }

  /** Waits for the current run and prevents further runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #runWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      try {
        await this.#work()
        this.#reported = null
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) && !isTransient(error)) this.#report(error)
      }
    }
    this.#running = null
  }

  #report(error: unknown): void {
    const what = String(error)
    if (what !== this.#reported) this.#onFailure(error)
    this.#reported = what
  }
}

/** Runs the task once per interval. Returns a function that stops the timer and waits for the current run. */
export function repeat(task: CoalescedTask, intervalMs: number): () => Promise<void> {
  const timer = setInterval(() => task.run(), intervalMs).unref()
  return async () => {
    clearInterval(timer)
    await task.close()
  }
}
