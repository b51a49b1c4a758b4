/** If a tick is later than this limit, the machine caused the delay, and not the measured process. */
const tickMsMax = 50

/**
 * Counts the time in which this process could run. A virtual machine that stands still for three seconds stops both the
 * measured process and the test, so this time does not count. A delay in another process counts in full, because the
 * ticks of this process continue. The clock cannot measure delays of the process in which it runs.
 */
export class AwakeClock {
  #last = performance.now()
  #awakeMs = 0
  readonly #timer = setInterval(() => this.ms, 10).unref()

  /** Returns the milliseconds since the start or the last `restart`. */
  get ms(): number {
    const now = performance.now()
    this.#awakeMs += Math.min(now - this.#last, tickMsMax)
    this.#last = now
    return this.#awakeMs
  }

  restart(): void {
    this.#last = performance.now()
    this.#awakeMs = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
