/**
 * Limits how many bodies of more than `bodyBytesMax` bytes a server receives at once (security.md IN-03). Each large
 * body needs a slot. When another body needs a slot, a body that is too slow, or is still incomplete after
 * two seconds, loses its slot.
 */
import { restLargeBodyBytesPerSecondMin, restLargeBodyKeptSeconds } from '@finanzas/contract/limits.ts'

/** All slots are taken. Retryable. */
export class NoSlotForBody extends Error {
  override readonly name = 'NoSlotForBody'
  override readonly message = 'Too many large bodies are under way.'
}

/** The sender of a body. Each user (`person`) can take one slot. */
export type Sender = { readonly person: string; readonly network: string }

/** A body cannot count as slow before this time has passed. */
const graceMs = 1000

export class Slot {
  readonly sender: Sender
  readonly #takenAt = performance.now()
  readonly #lost = Promise.withResolvers<never>()
  #bytes = 0
  #isWhole = false

  constructor(sender: Sender) {
    this.sender = sender
    // Marks the rejection as handled, because nothing awaits the promise once the body is complete.
    this.#lost.promise.catch(() => undefined)
  }

  /** A promise that rejects with `NoSlotForBody` when another body takes the slot. */
  get lost(): Promise<never> {
    return this.#lost.promise
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** Call this method when the body has fully arrived. Afterwards, the body no longer counts as slow or overdue. */
  complete(): void {
    this.#isWhole = true
  }

  get isSlow(): boolean {
    return this.#heldMs >= graceMs && this.speed < restLargeBodyBytesPerSecondMin
  }

  /**
   * Returns whether the body has been arriving for longer than `restLargeBodyKeptSeconds`. Even a fast body can be
   * overdue.
   */
  get isOverdue(): boolean {
    return this.#heldMs >= restLargeBodyKeptSeconds * 1000
  }

  /** Returns the average speed in bytes per second. */
  get speed(): number {
    return (this.#bytes * 1000) / this.#heldMs
  }

  /** How long the body has been arriving; zero once it is complete. */
  get #heldMs(): number {
    return this.#isWhole ? 0 : performance.now() - this.#takenAt
  }

  lose(): void {
    this.#lost.reject(new NoSlotForBody())
  }
}

export class LargeBodySlots {
  readonly #slotsMax: number
  readonly #perNetworkMax: number
  readonly #taken = new Set<Slot>()

  constructor({ slotsMax, perNetworkMax }: { readonly slotsMax: number; readonly perNetworkMax: number }) {
    this.#slotsMax = slotsMax
    this.#perNetworkMax = perNetworkMax
  }

  /** Takes a slot. Throws `NoSlotForBody`. */
  take(sender: Sender): Slot {
    this.#makeRoom(1, ({ person }) => person === sender.person)
    this.#makeRoom(this.#perNetworkMax, ({ network }) => network === sender.network)
    this.#makeRoom(this.#slotsMax, () => true)
    const slot = new Slot(sender)
    this.#taken.add(slot)
    return slot
  }

  release(slot: Slot): void {
    this.#taken.delete(slot)
  }

  /**
   * If the senders for which `isOne` returns true hold `slotsMax` slots, frees one of these slots. The slot is taken
   * from the slowest of the slow bodies, or else from the oldest overdue body. Throws `NoSlotForBody` if all of these
   * bodies are fast and not overdue.
   */
  #makeRoom(slotsMax: number, isOne: (sender: Sender) => boolean): void {
    const slots = [...this.#taken].filter(({ sender }) => isOne(sender))
    if (slots.length < slotsMax) return
    const [slowest] = slots.filter(({ isSlow }) => isSlow).toSorted((one, other) => one.speed - other.speed)
    // `find` returns the oldest overdue body, because the set keeps the order in which the slots were taken.
    const loser = slowest ?? slots.find(({ isOverdue }) => isOverdue)
    if (loser === undefined) throw new NoSlotForBody()
    this.release(loser)
    loser.lose()
  }
}
