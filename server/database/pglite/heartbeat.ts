/** What the engine's thread is at: memory that both sides see, for the thread cannot be asked while it is busy. */

/** What no request is to blame for: opening, and forcing a group to the disk. */
export const idle = 0

export class WorkerHeartbeat {
  /** Handed to the other side, which makes its own of it. */
  readonly memory: SharedArrayBuffer
  /** The number of the request that runs, and when it began in nanoseconds of the process's clock. */
  readonly #cells: BigInt64Array

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#cells = new BigInt64Array(memory)
  }

  /** The thread's side: from now on it works on this request. */
  begin(id: number): void {
    Atomics.store(this.#cells, 1, process.hrtime.bigint())
    Atomics.store(this.#cells, 0, BigInt(id))
  }

  /** Which request is worked on, and for how long. */
  get running(): { id: number; ms: number } {
    const ms = Number(process.hrtime.bigint() - Atomics.load(this.#cells, 1)) / 1e6
    return { id: Number(Atomics.load(this.#cells, 0)), ms }
  }
}
