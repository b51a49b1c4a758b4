/**
 * Limited places for bodies of more than `bodyBytesMax` bytes in one server (security.md IN-03). A body that is too
 * slow, or is incomplete after two seconds, loses its place when another body needs one.
 */
import { restLargeBodyBytesPerSecondMin, restLargeBodyKeptSeconds } from '@finanzas/contract/limits.ts'

/** Every place is taken. Retryable. */
export class NoPlaceForBody extends Error {
  override readonly name = 'NoPlaceForBody'
  override readonly message = 'Too many large bodies are under way.'
}

/** The sender of a body. Each person has one place. */
export type Sender = { readonly person: string; readonly network: string }

/** Time before the speed of a body is measured. */
const graceMs = 1000

export class Place {
  readonly sender: Sender
  readonly #takenAt = performance.now()
  readonly #lost = Promise.withResolvers<never>()
  #bytes = 0
  #isWhole = false

  constructor(sender: Sender) {
    this.sender = sender
    // Handles the rejection here too, because nothing waits for it after the body is complete.
    this.#lost.promise.catch(() => undefined)
  }

  /** Rejects with `NoPlaceForBody` once another body has taken the place. */
  get lost(): Promise<never> {
    return this.#lost.promise
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** Marks the body as complete. */
  complete(): void {
    this.#isWhole = true
  }

  get isSlow(): boolean {
    return this.#heldMs >= graceMs && this.speed < restLargeBodyBytesPerSecondMin
  }

  /** Returns whether the body has been arriving for longer than the maximum time. A fast body can be overdue too. */
  get isOverdue(): boolean {
    return this.#heldMs >= restLargeBodyKeptSeconds * 1000
  }

  /** Returns the speed in bytes per second. */
  get speed(): number {
    return (this.#bytes * 1000) / this.#heldMs
  }

  /** Time for which the body has been arriving; zero once it is complete. */
  get #heldMs(): number {
    return this.#isWhole ? 0 : performance.now() - this.#takenAt
  }

  lose(): void {
    this.#lost.reject(new NoPlaceForBody())
  }
}

export class LargeBodyPlaces {
  readonly #placesMax: number
  readonly #perNetworkMax: number
  readonly #taken = new Set<Place>()

  constructor({ placesMax, perNetworkMax }: { readonly placesMax: number; readonly perNetworkMax: number }) {
    this.#placesMax = placesMax
    this.#perNetworkMax = perNetworkMax
  }

  /** Takes a place. Throws `NoPlaceForBody`. */
  take(sender: Sender): Place {
    this.#makeRoom(1, ({ person }) => person === sender.person)
    this.#makeRoom(this.#perNetworkMax, ({ network }) => network === sender.network)
    this.#makeRoom(this.#placesMax, () => true)
    const place = new Place(sender)
    this.#taken.add(place)
    return place
  }

  release(place: Place): void {
    this.#taken.delete(place)
  }

  /**
   * Frees a place if these senders hold as many places as they may. Chooses the slowest of the slow bodies, or else the
   * oldest overdue body. Throws `NoPlaceForBody` if there is neither.
   */
  #makeRoom(placesMax: number, isOne: (sender: Sender) => boolean): void {
    const places = [...this.#taken].filter(({ sender }) => isOne(sender))
    if (places.length < placesMax) return
    const [slowest] = places.filter(({ isSlow }) => isSlow).toSorted((one, other) => one.speed - other.speed)
    // `find` returns the oldest, because the set is in the order in which the places were taken.
    const loser = slowest ?? places.find(({ isOverdue }) => isOverdue)
    if (loser === undefined) throw new NoPlaceForBody()
    this.release(loser)
    loser.lose()
  }
}
