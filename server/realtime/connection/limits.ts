/** Limits the sockets that can be opened with only the public key (security.md RT-05). */
import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'

type AnonymousSocket = {
  /** Ends the connection without waiting for an answer. */
  drop(): void
}

/**
 * Sockets without a signed-in user, up to a limit. Above the limit the oldest one is dropped, so that these sockets
 * cannot keep a customer from joining.
 */
export class AnonymousSockets {
  /** Oldest first. */
  readonly #sockets = new Set<AnonymousSocket>()

  /** Adds a socket; a socket that was added before keeps its age. */
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
