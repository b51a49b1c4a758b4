/** Limits the sockets that can be opened with only the public key (security.md RT-05). */
import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'

type AnonymousSocket = {
  /** Ends the connection without waiting for a closing handshake. */
  drop(): void
}

/**
 * The sockets without a signed-in user, up to a limit. When the limit is exceeded, the oldest socket is dropped, so
 * that anonymous sockets cannot keep customers from joining.
 */
export class AnonymousSockets {
  /** Oldest first. */
  readonly #sockets = new Set<AnonymousSocket>()

  /** Adds a socket. A socket that is already in the set keeps its position. */
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
