/** A tick that comes later than this was kept from this process by the machine, not by what is measured. */
const tickMsMax = 50

/**
 * Counts the time in which this process had its turns. A virtual machine that stands still for three seconds stops
 * the measured process and the test alike, and says nothing of the measured; what another process is slow at counts whole, for
 * here the turns go on. Not for what runs in this very process.
 */
export class AwakeClock {
  #last = performance.now()
  #awakeMs = 0
  readonly #timer = setInterval(() => this.ms, 10).unref()

  /** Milliseconds since the start or the last `restart`. */
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
