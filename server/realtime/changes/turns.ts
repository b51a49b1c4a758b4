/** Long work in pieces, so that nobody else waits for all of it: JavaScript does one thing at a time. */
import { setImmediate as othersTurn } from 'node:timers/promises'

/** Four deliveries at a time may take one each before a request is looked at. */
const turnMs = 5

/** The turns of one piece of work; what is done between two looks at `isOver` has to be short. */
export class Turns {
  #startedAt = performance.now()

  /** Whether the work has gone on for long enough. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt >= turnMs
  }

  /** Lets everything else that waits have its turn. */
  async pass(): Promise<void> {
    await othersTurn()
    this.#startedAt = performance.now()
  }
}
