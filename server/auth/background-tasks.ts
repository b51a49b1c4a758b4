/**
 * Work that runs after the answer. Sending a mail takes longer than sending none, and the time of the answer must not
 * tell whether an address is known (security.md 5.10). Closing waits for what has begun.
 */
import type { FastifyBaseLogger } from 'fastify'
import { runInBackground } from '#overload/admission.ts'

export class BackgroundTasks {
  readonly #running = new Set<Promise<void>>()

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
