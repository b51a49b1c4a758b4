/**
 * Hashing a password costs 20 ms of a core and 19 MiB on purpose, so how much of it may happen at once
 * is bounded (security.md AN-12): a storm of sign-ins waits in line, and beyond the line it is turned
 * away, while every other request is served as before.
 */
import { availableParallelism } from 'node:os'

/** Hashes at once. One core stays free for everybody else; two are half of the threads that Node shares with file access. */
export const hashesAtOnceMax = Math.max(1, Math.min(2, availableParallelism() - 1))
const waitingMax = 32

/** Too many passwords wait to be hashed: worth trying again in a moment. */
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
  #admitted = 0
  readonly #waiting: (() => void)[] = []

  constructor(options: { readonly runningMax?: number } = {}) {
    this.#runningMax = options.runningMax ?? hashesAtOnceMax
  }

  /** Answers what the job answers. Throws `TooManyHashes` when the line is full. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await job()
    } finally {
      this.#leave()
    }
  }

  /**
   * Does work that will hash one password. Throws `TooManyHashes` at once, before any of the work is done, when
   * as many others are at it as the line is long.
   */
  async admit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#admitted >= waitingMax) throw new TooManyHashes()
    this.#admitted += 1
    try {
      return await work()
    } finally {
      this.#admitted -= 1
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#runningMax) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= waitingMax) throw new TooManyHashes()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    // Whoever is next takes the place over, so the count stays.
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
