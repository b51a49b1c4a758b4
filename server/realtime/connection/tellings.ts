/**
 * What the members of public topics have this server say to one another. Anybody may be a member, and one message is
 * as many as there are members, so it is bounded for all of them together (security.md RT-05): whoever wants to keep
 * the server busy keeps others from chatting, not from their bank. What the bank itself says is not counted.
 */

/** A short message costs its frame and its way to the network, too. */
const messageBytesMin = 2048

export class Tellings {
  readonly #bytesPerSecondMax: number
  readonly #now: () => number
  #second = 0
  #bytes = 0

  /** `now` in milliseconds. */
  constructor(bytesPerSecondMax: number, now: () => number = () => performance.now()) {
    this.#bytesPerSecondMax = bytesPerSecondMax
    this.#now = now
  }

  /** Whether a message may be told to so many in this second; counts it when it may. */
  allow(message: object, listeners: number): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) this.#bytes = 0
    this.#second = second
    if (this.#bytes >= this.#bytesPerSecondMax) return false
    const bytes = listeners * Math.max(messageBytesMin, Buffer.byteLength(JSON.stringify(message)))
    // The first message of a second is told however many listen, or a large crowd would never hear one.
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesPerSecondMax) return false
    this.#bytes += bytes
    return true
  }
}
