/**
 * Spaces out refusals (429, 503). A client that is refused at once retries at once, and each attempt costs a
 * transaction of the rate limiter: 200 connections used one of two cores (docs/overload.md).
 */

/** Number of refusals that are answered at once. A person gets one or two refusals. */
export const immediateRefusals = 20
export const betweenRefusalsMs = 20
/** Maximum delay of an answer. */
export const heldMsMax = 2000

export class RefusalPace {
  /** Time of the next free turn. */
  #nextAt = Number.NEGATIVE_INFINITY

  /** Resolves when the next refusal may be answered. */
  async turn(): Promise<void> {
    const now = performance.now()
    const earliest = now - immediateRefusals * betweenRefusalsMs
    const at = Math.min(Math.max(this.#nextAt, earliest) + betweenRefusalsMs, now + heldMsMax)
    this.#nextAt = at
    if (at > now) await new Promise<void>((resolve) => void setTimeout(resolve, at - now))
  }
}
