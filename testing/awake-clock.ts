// A clock for what must happen within a time: it stands still while the machine does.

const tickMs = 10
/** A turn that comes later than this was kept from us by the machine, not by what is measured. */
const tickMsMax = 50

/**
 * Counts the time in which this process had its turns. A virtual machine that stands still for three seconds stops
 * the measured process and the test alike, and says nothing of the measured; what another process is slow at counts whole, for
 * here the turns go on. Not for what runs in this very process.
 */
export class AwakeClock {
  readonly #time: () => number
  readonly #timer: NodeJS.Timeout
  #last: number
  #awakeMs = 0

  /** Starts at zero; `time` is for its test. */
  constructor(time: () => number = () => performance.now()) {
    this.#time = time
    this.#last = time()
    this.#timer = setInterval(() => this.tick(), tickMs)
    this.#timer.unref()
  }

  /** Milliseconds since the start or the last `restart`. */
  get ms(): number {
    this.tick()
    return this.#awakeMs
  }

  restart(): void {
    this.tick()
    this.#awakeMs = 0
  }

  /** A turn of this process: the timer's, or a reader's. */
  tick(): void {
    const now = this.#time()
    this.#awakeMs += Math.min(now - this.#last, tickMsMax)
    this.#last = now
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
