/**
 * Limited places for bodies of more than `bodyBytesMax` bytes in one server (security.md IN-03). A body that arrives
 * too slowly, or has not arrived completely after two seconds, keeps its place only until another body needs it.
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
    // A complete body does not wait for its place any more, so losing the place must not raise an error.
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

  /** Returns whether the body has held its place for longer than the maximum time, whatever its speed. */
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
   * If these senders hold all places that they may have, frees the place of the slowest body; if no body is slow,
   * frees the place of the oldest overdue body.
   */
  #makeRoom(placesMax: number, isOne: (sender: Sender) => boolean): void {
    const places = [...this.#taken].filter(({ sender }) => isOne(sender))
    if (places.length < placesMax) return
    const [slowest] = places.filter(({ isSlow }) => isSlow).toSorted((one, other) => one.speed - other.speed)
    // The set is in the order in which the places were taken.
    const loser = slowest ?? places.find(({ isOverdue }) => isOverdue)
    if (loser === undefined) throw new NoPlaceForBody()
    this.release(loser)
    loser.lose()
  }
}
