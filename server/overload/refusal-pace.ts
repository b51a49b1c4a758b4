/**
 * Delays the refusals (429 and 503) that a network gets, so that they are sent one after the other. A client that is
 * refused at once retries at once, and each attempt costs a database transaction for the rate limit. Without the delay,
 * 200 connections kept one of two CPU cores busy. All networks share a second pace, because an attacker with twenty
 * networks would otherwise be refused a thousand times a second.
 */

/** Number of refusals that a network gets without a delay. A person at a keyboard gets only one or two refusals. */
export const immediateRefusals = 10
export const betweenRefusalsMs = 20
/** Time between the delayed refusals of all networks together. */
export const betweenAllRefusalsMs = 10
/** Maximum delay of a refusal. */
export const heldMsMax = 2000

export class RefusalPace {
  /** Maps each network with recent refusals to the time of its last turn. The map is sorted by the last refusal. */
  readonly #nextAt = new Map<string, number>()
  /** Time of the last turn of any network that was delayed. */
  #delayedAt = 0

  /** Resolves when the next refusal to the network may be sent. */
  async turn(network: string): Promise<void> {
    const now = performance.now()
    const earliest = now - immediateRefusals * betweenRefusalsMs
    this.#forget(earliest)
    const next = Math.max(this.#nextAt.get(network) ?? earliest, earliest) + betweenRefusalsMs
    const at = next > now ? this.#delayed(next, now) : next
    this.#nextAt.delete(network)
    this.#nextAt.set(network, at)
    if (at > now) await new Promise<void>((resolve) => void setTimeout(resolve, at - now))
  }

  #delayed(next: number, now: number): number {
    this.#delayedAt = Math.min(Math.max(this.#delayedAt, now) + betweenAllRefusalsMs, now + heldMsMax)
    return Math.min(Math.max(next, this.#delayedAt), now + heldMsMax)
  }

  /** Number of networks that are kept in memory. */
  get size(): number {
    return this.#nextAt.size
  }

  /** Deletes the networks whose last turn was before the given time. */
  #forget(earliest: number): void {
    for (const [network, at] of this.#nextAt) {
      if (at > earliest) return
      this.#nextAt.delete(network)
    }
  }
}
