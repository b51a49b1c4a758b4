/** Limit of the sockets that the public key alone opens (security.md RT-05). */
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
