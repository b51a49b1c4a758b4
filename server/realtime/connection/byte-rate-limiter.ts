/**
 * Limits the bytes a second that broadcasts and presences of all topics make this server send (security.md RT-05). The
 * public key opens a socket, and one message is sent to every member of its topic: messages a second of each socket
 * bound what comes in, not what goes out. Table changes are not counted.
 */

/** A short message costs its frame and its way to the network, too. */
const messageBytesMin = 2048

export class ByteRateLimiter {
  readonly #bytesPerSecondMax: number
  readonly #now: () => number
  #second = 0
  #bytes = 0

  /** `now` in milliseconds. */
  constructor(bytesPerSecondMax: number, now: () => number = () => performance.now()) {
    this.#bytesPerSecondMax = bytesPerSecondMax
    this.#now = now
  }

  /** Whether the message may be sent to so many recipients in this second; counts it when it may. */
  tryConsume(message: object, recipients: number): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) this.#bytes = 0
    this.#second = second
    if (this.#bytes >= this.#bytesPerSecondMax) return false
    const bytes = recipients * Math.max(messageBytesMin, Buffer.byteLength(JSON.stringify(message)))
    // The first message of a second passes whatever its size, or a large topic would never get one.
    if (this.#bytes > 0 && this.#bytes + bytes > this.#bytesPerSecondMax) return false
    this.#bytes += bytes
    return true
  }
}
