/** Work that the clock and the server's own writes ask for, and nobody waits for. */
import { DatabaseUnavailable, SqlError } from './database.ts'

/**
 * Work that is done one at a time; whoever asks meanwhile has it done once more. What it throws ends here:
 * it is started by timers and by writes, where a rejection nobody waits for would end the process. The
 * clock asks again, so a database that is away needs no more; any other error is reported too.
 */
export class Errand {
  readonly #work: () => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #running: Promise<void> | null = null
  #isAsked = false
  #isClosed = false

  constructor(work: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#work = work
    this.#onFailure = onFailure
  }

  /** Does the work, or has it done once more when it is being done. */
  run(): void {
    if (this.#isClosed) return
    this.#isAsked = true
    this.#running ??= this.#runWhileAsked()
  }

  /** Waits for what is being done; nothing is done afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #runWhileAsked(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
      try {
        await this.#work()
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) && !(error instanceof SqlError)) this.#onFailure(error)
      }
    }
    this.#running = null
  }
}
