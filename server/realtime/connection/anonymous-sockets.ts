/**
 * The sockets that belong to no signed-in user, of whom there is a limited number. The one that has been
 * here longest goes when another comes, so that they cannot keep out a customer who is about to join.
 */
import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'

/** What there is to know of such a socket. */
export type Stranger = {
  /** Ends the connection without waiting for an answer. */
  drop(): void
}

export class Strangers {
  /** In the order in which they came. */
  readonly #sockets = new Set<Stranger>()

  /** Notes a socket; one that is known stays in its place. */
  add(socket: Stranger): void {
    this.#sockets.add(socket)
    if (this.#sockets.size <= realtimeAnonymousSocketsMax) return
    const [oldest] = this.#sockets
    if (oldest === undefined) return
    this.#sockets.delete(oldest)
    oldest.drop()
  }

  /** The socket has a user now, or is gone. */
  delete(socket: Stranger): void {
    this.#sockets.delete(socket)
  }
}
