/** Work that the clock and the server's own writes ask for, and nobody waits for. */
import { DatabaseUnavailable, isTransient } from './database.ts'

/**
 * Work that is done one at a time; whoever asks meanwhile has it done once more. What it throws ends here:
 * it is started by timers and by writes, where a rejection nobody waits for would end the process. The
 * clock asks again, so trouble that passes needs no more. Any other error is reported, a refusal of the database
 * too: once, until the work was done again, because the clock may ask twice a second.
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
