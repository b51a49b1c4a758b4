/**
 * Work that goes on after the answer. Whether an address is known must not show in how long the answer
 * takes, and sending a mail takes longer than sending none (security.md 5.10); so mail waits until the
 * answer is on its way. Nothing is dropped when the server ends: closing waits for what was begun.
 */
import type { FastifyBaseLogger } from 'fastify'
import { runInBackground } from '#overload/admission.ts'

export class AfterAnswer {
  readonly #running = new Set<Promise<void>>()

  /** Begins the job; the log hears of its failure. */
  run(job: () => Promise<void>, log: FastifyBaseLogger): void {
    const running = new Promise((resolve) => setImmediate(resolve))
      .then(() => runInBackground(job))
      .catch((error: unknown) => log.error(error, 'a mail could not be sent'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Waits until no job is running. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
