/** A bounded pool for password hashes: each costs some 10 ms of a core and 19 MiB on purpose (security.md AN-12). */
import { availableParallelism } from 'node:os'

/** Hashes at once. One core stays free for everything else; two are half of the threads that Node shares with file access. */
export const hashesAtOnceMax = Math.max(1, Math.min(2, availableParallelism() - 1))
const queueLengthMax = 32

/** The queue of the pool is full: retryable. */
export class TooManyHashes extends Error {
  override readonly name = 'TooManyHashes'

  constructor() {
    super('Too many passwords are being checked.')
  }
}

/** Runs at most so many jobs at once, in the order in which they came. */
export class HashPool {
  readonly #runningMax: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: { readonly runningMax?: number } = {}) {
    this.#runningMax = options.runningMax ?? hashesAtOnceMax
  }

  get isFull(): boolean {
    return this.#waiting.length >= queueLengthMax
  }

  /** Throws `TooManyHashes` when the queue is full, and what the job throws. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    await this.#acquire()
    try {
      return await job()
    } finally {
      this.#release()
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < this.#runningMax) {
      this.#running += 1
      return
    }
    if (this.isFull) throw new TooManyHashes()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #release(): void {
    // The next job takes the slot over, so the count stays.
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
