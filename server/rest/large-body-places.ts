/**
 * Places for the bodies of more than `bodyBytesMax` bytes that one server holds at once (security.md IN-03). A body that
 * comes too slowly, or is not whole after two seconds, keeps its place only until another one needs it.
 */
import { restLargeBodyBytesPerSecondMin, restLargeBodyKeptSeconds } from '@finanzas/contract/limits.ts'

/** All places are taken: retryable. */
export class NoPlaceForBody extends Error {
  override readonly name = 'NoPlaceForBody'
  override readonly message = 'Too many large bodies are under way.'
}

/** Each person has one place. */
export type Sender = { readonly person: string; readonly network: string }

/** Time before the speed of a body counts. */
const graceMs = 1000

export class Place {
  readonly sender: Sender
  readonly #takenAt = performance.now()
  readonly #lost = Promise.withResolvers<never>()
  #bytes = 0
  #isWhole = false

  constructor(sender: Sender) {
    this.sender = sender
    // A body that is whole loses nothing.
    this.#lost.promise.catch(() => undefined)
  }

  /** Rejects with `NoPlaceForBody` once another body has the place. */
  get lost(): Promise<never> {
    return this.#lost.promise
  }

  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** The body has arrived. */
  complete(): void {
    this.#isWhole = true
  }

  get isSlow(): boolean {
    return this.#heldMs >= graceMs && this.speed < restLargeBodyBytesPerSecondMin
  }

  /** Whether the body has held its place for the longest time, at any speed. */
  get isOverdue(): boolean {
    return this.#heldMs >= restLargeBodyKeptSeconds * 1000
  }

  /** Bytes a second. */
  get speed(): number {
    return (this.#bytes * 1000) / this.#heldMs
  }

  /** Time that the body has taken so far; zero once it is whole. */
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

  /** Throws `NoPlaceForBody`. */
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

  /** Where these senders have all of their places, takes that of the slowest one, or else of the one longest overdue. */
  #makeRoom(placesMax: number, isOne: (sender: Sender) => boolean): void {
    const places = [...this.#taken].filter(({ sender }) => isOne(sender))
    if (places.length < placesMax) return
    const [slowest] = places.filter(({ isSlow }) => isSlow).toSorted((one, other) => one.speed - other.speed)
    // The places are in the order in which they were taken.
    const loser = slowest ?? places.find(({ isOverdue }) => isOverdue)
    if (loser === undefined) throw new NoPlaceForBody()
    this.release(loser)
    loser.lose()
  }
}
