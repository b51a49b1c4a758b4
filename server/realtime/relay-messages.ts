/** What servers tell each other, as JSON between them, and a bounded number of it on its way. */
import type { PresenceDiff } from './presence.ts'

export type RelayMessage =
  /** Somebody said something to a topic. */
  | {
      readonly kind: 'broadcast'
      readonly topic: string
      readonly payload: Readonly<Record<string, unknown>>
    }
  /** Somebody came to a topic, or went. */
  | { readonly kind: 'presence'; readonly topic: string; readonly diff: PresenceDiff }
  /** Who is present at the server that says so has to be read anew. */
  | { readonly kind: 'anew' }
  /** Nobody is present there any more. */
  | { readonly kind: 'gone' }

/** What one database transaction of a server left. */
export type RelayBatch = { readonly server: string; readonly messages: readonly RelayMessage[] }

/** What may wait; many times what is said while the database answers. */
const waitingBytesMax = 2 * 1024 * 1024

/** Messages that wait to be written, in their order. */
export class WaitingMessages {
  #messages: RelayMessage[] = []
  #bytes = 0

  get length(): number {
    return this.#messages.length
  }

  /** Whether there was room for it. */
  add(message: RelayMessage): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(message))
    if (this.#bytes + bytes > waitingBytesMax) return false
    this.#bytes += bytes
    this.#messages.push(message)
    return true
  }

  /** All of them; nothing waits any more. */
  take(): readonly RelayMessage[] {
    const taken = this.#messages
    this.#messages = []
    this.#bytes = 0
    return taken
  }
}
