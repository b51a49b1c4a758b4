/**
 * Delays the refusals (429, 503) to a network, one after the other. A client that is refused at once retries at once,
 * and each attempt costs a database transaction for the rate limit. Without the delay, 200 connections used one of two
 * cores (docs/overload.md).
 */

/** Number of refusals to a network that are sent at once. A person at a keyboard gets only one or two. */
export const immediateRefusals = 20
export const betweenRefusalsMs = 20
/** Maximum delay of an answer. */
export const heldMsMax = 2000

export class RefusalPace {
  /** Time of the last turn of each recent network, in the order of the last refusals. */
  readonly #nextAt = new Map<string, number>()

  /** Resolves when the next refusal to the network may be sent. */
  async turn(network: string): Promise<void> {
    const now = performance.now()
    const earliest = now - immediateRefusals * betweenRefusalsMs
    this.#forget(earliest)
    const next = Math.max(this.#nextAt.get(network) ?? earliest, earliest) + betweenRefusalsMs
    const at = Math.min(next, now + heldMsMax)
    this.#nextAt.delete(network)
    this.#nextAt.set(network, at)
    if (at > now) await new Promise<void>((resolve) => void setTimeout(resolve, at - now))
  }

  /** Number of networks in memory. */
  get size(): number {
    return this.#nextAt.size
  }

  /** Deletes the oldest networks, up to the first one whose turn is not before the time. */
  #forget(earliest: number): void {
    for (const [network, at] of this.#nextAt) {
      if (at > earliest) return
      this.#nextAt.delete(network)
    }
  }
}
