/** Limits of what the public key alone opens and sends (security.md RT-05). */
import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'

type AnonymousSocket = {
  /** Ends the connection without waiting for an answer. */
  drop(): void
}

/**
 * The sockets without a signed-in user, up to a limit. The oldest is dropped for the newest, so that they cannot keep
 * out a customer who is about to join.
 */
export class AnonymousSockets {
  /** Oldest first. */
  readonly #sockets = new Set<AnonymousSocket>()

  /** A socket that is known keeps its age. */
  add(socket: AnonymousSocket): void {
    this.#sockets.add(socket)
    if (this.#sockets.size <= realtimeAnonymousSocketsMax) return
    const [oldest] = this.#sockets
    if (oldest === undefined) return
    this.#sockets.delete(oldest)
    oldest.drop()
  }

  delete(socket: AnonymousSocket): void {
    this.#sockets.delete(socket)
  }
}

/** A short message costs its frame and its way to the network, too. */
const messageBytesMin = 2048

/**
 * Limits the bytes a second that broadcasts and presences of all topics make this server send. One message goes to
 * every member of its topic, so a limit of messages for each socket bounds the input, not the output. Table changes are
 * not counted.
 */
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
