/**
 * Who is present at the other servers: what they said, and what of it the listeners here have been told. Between the two
 * time may pass, so what is told is always the difference, and whatever was missed is made good by the next one.
 */
import { type Presence, type PresenceDiff, type PresentElsewhere, byKey, presencesOf } from './presence.ts'

/** Presences by the name of their telling, which no two servers give. */
type ByRef = Map<string, Presence>

export class OthersPresent implements PresentElsewhere {
  readonly #servers = new Map<string, { aliveUntil: number; readonly present: ByRef }>()
  readonly #known = new Map<string, ByRef>()
  readonly #told = new Map<string, ByRef>()
  readonly #untold = new Set<string>()

  /** Who was told of, and has not been said to have gone. */
  onTopic(topic: string): readonly Presence[] {
    return [...(this.#told.get(topic)?.values() ?? [])]
  }

  /** Topics of which not everything has been told. */
  get untold(): Iterable<string> {
    return this.#untold
  }

  knows(server: string): boolean {
    return this.#servers.has(server)
  }

  /** A server that is known gave a sign of life, good until a time in milliseconds. */
  believe(server: string, aliveUntil: number): void {
    const known = this.#servers.get(server)
    if (known !== undefined) known.aliveUntil = aliveUntil
  }

  /** All that are known are believed until then: it was this server that could not hear. */
  believeAll(aliveUntil: number): void {
    for (const known of this.#servers.values()) known.aliveUntil = aliveUntil
  }

  /** Takes what a server that is known says of a topic. */
  apply(server: string, topic: string, { joins, leaves }: PresenceDiff): void {
    const known = this.#servers.get(server)
    if (known === undefined) return
    for (const { meta } of presencesOf(topic, leaves)) this.#remove(known.present, topic, meta.phx_ref)
    for (const presence of presencesOf(topic, joins)) this.#add(known.present, presence)
  }

  /** From now on these and no others are present at a server. */
  replace(server: string, aliveUntil: number, presences: Iterable<Presence>): void {
    this.forget(server)
    const present: ByRef = new Map()
    this.#servers.set(server, { aliveUntil, present })
    for (const presence of presences) this.#add(present, presence)
  }

  /** Nobody is present at a server any more. */
  forget(server: string): void {
    const { present } = this.#servers.get(server) ?? { present: new Map() as ByRef }
    for (const [ref, { topic }] of present) this.#remove(present, topic, ref)
    this.#servers.delete(server)
  }

  /** Forgets servers that gave no sign of life in time. */
  forgetDead(now: number): void {
    for (const [server, { aliveUntil }] of this.#servers) if (aliveUntil < now) this.forget(server)
  }

  /** What a topic has still to be told; `null` for nothing. */
  news(topic: string): PresenceDiff | null {
    const known = this.#known.get(topic) ?? (new Map() as ByRef)
    const told = this.#told.get(topic) ?? (new Map() as ByRef)
    const come = [...known].filter(([ref]) => !told.has(ref)).map(([, presence]) => presence)
    const gone = [...told].filter(([ref]) => !known.has(ref)).map(([, presence]) => presence)
    return come.length + gone.length === 0 ? null : { joins: byKey(come), leaves: byKey(gone) }
  }

  /** Its news have been told, or nobody wants to hear them. */
  noteTold(topic: string): void {
    this.#untold.delete(topic)
    const known = this.#known.get(topic)
    if (known === undefined) this.#told.delete(topic)
    else this.#told.set(topic, new Map(known))
  }

  /** Nobody listens any more. */
  clear(): void {
    for (const each of [this.#servers, this.#known, this.#told, this.#untold]) each.clear()
  }

  #add(present: ByRef, presence: Presence): void {
    const { topic, meta } = presence
    const known = this.#known.get(topic) ?? (new Map() as ByRef)
    for (const refs of [present, known]) refs.set(meta.phx_ref, presence)
    this.#known.set(topic, known)
    this.#untold.add(topic)
  }

  #remove(present: ByRef, topic: string, ref: string): void {
    const known = this.#known.get(topic)
    present.delete(ref)
    known?.delete(ref)
    if (known?.size === 0) this.#known.delete(topic)
    this.#untold.add(topic)
  }
}
