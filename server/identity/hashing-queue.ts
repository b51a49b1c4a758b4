/**
 * Hashing a password costs 20 ms of a core and 19 MiB on purpose, so how much of it may happen at once
 * is bounded (security.md AN-12): a storm of sign-ins waits in line, and beyond the line it is turned
 * away, while every other request is served as before.
 */

/** Half of the four threads that Node shares with file access and name look-ups. */
const runningMax = 2
const waitingMax = 32

/** Too many passwords wait to be hashed: worth trying again in a moment. */
export class TooManyHashes extends Error {
  override readonly name = 'TooManyHashes'
}

/** Runs at most two jobs at once, in the order in which they came. */
export class HashingQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** Answers what the job answers. Throws `TooManyHashes` when the line is full. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await job()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < runningMax) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= waitingMax) throw new TooManyHashes('Too many passwords are being checked.')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    // Whoever is next takes the place over, so the count stays.
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
