/**
 * Records the number of the request that the engine's thread is running. The number is in shared memory, because a busy
 * thread cannot answer messages.
 */

/** The number that means that no request is running, for example while the engine opens or flushes to the disk. */
export const idle = 0

export class WorkerHeartbeat {
  readonly memory: SharedArrayBuffer
  /**
   * Two cells: the number of the running request, and the time at which this request started, in nanoseconds of the
   * process's clock.
   */
  readonly #cells: BigInt64Array

  constructor(memory = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#cells = new BigInt64Array(memory)
  }

  begin(id: number): void {
    Atomics.store(this.#cells, 1, process.hrtime.bigint())
    Atomics.store(this.#cells, 0, BigInt(id))
  }

  get running(): { id: number; ms: number } {
    const ms = Number(process.hrtime.bigint() - Atomics.load(this.#cells, 1)) / 1e6
    return { id: Number(Atomics.load(this.#cells, 0)), ms }
  }
}
