/**
 * Who is present on topics, as the client's `track` says (wire-contract §4.8; phoenix `presence.js`). Each channel is
 * present once; tracking again replaces what it said. Refused on purpose: more than the client's own size of news, and
 * crowds, because everybody present is told of everybody else.
 */
import {
  realtimePresenceBytesMax,
  realtimePresencesMax,
  realtimePresencesPerTopicMax,
} from '@finanzas/contract/limits.ts'

/** What somebody tells about themself, with the name of this telling: the client takes away by it what is over. */
type Meta = Readonly<Record<string, unknown>> & { readonly phx_ref: string }

/** Everybody present, by key; several channels may share one. */
export type PresenceState = Readonly<Record<string, { readonly metas: readonly Meta[] }>>

/** What changed on a topic. */
export type PresenceDiff = { readonly joins: PresenceState; readonly leaves: PresenceState }

/** One telling of somebody, and where. */
export type Presence = { readonly topic: string; readonly key: string; readonly meta: Meta }

/** What there is to know of a channel here. */
export type Present = { readonly topic: string; readonly presenceKey: string }

/** Who is present at other servers, as far as listeners here have been told. */
export type PresentElsewhere = { onTopic(topic: string): readonly Presence[] }

/** Why a channel is not present. */
export type PresenceRefusal = 'too large' | 'too many'

/** The channels of this server that are present. */
export class Presences<P extends Present> implements Iterable<Presence> {
  readonly #refPrefix: string
  readonly #elsewhere: PresentElsewhere
  readonly #byTopic = new Map<string, Map<P, Meta>>()
  #size = 0
  #told = 0

  /** `refPrefix` tells the tellings of this server from another's. */
  constructor(refPrefix: string, elsewhere: PresentElsewhere) {
    this.#refPrefix = refPrefix
    this.#elsewhere = elsewhere
  }

  get size(): number {
    return this.#size
  }

  *[Symbol.iterator](): Iterator<Presence> {
    for (const topic of this.#byTopic.keys()) yield* this.#here(topic)
  }

  /** Everybody who is present on a topic, at whichever server. */
  state(topic: string): PresenceState {
    return byKey([...this.#here(topic), ...this.#elsewhere.onTopic(topic)])
  }

  /** Notes what a channel tells of itself, and answers what the topic is to be told; or refuses. */
  track(present: P, told: Readonly<Record<string, unknown>>): PresenceDiff | PresenceRefusal {
    if (Buffer.byteLength(JSON.stringify(told)) > realtimePresenceBytesMax) return 'too large'
    const everybody = this.#byTopic.get(present.topic) ?? new Map<P, Meta>()
    const before = everybody.get(present)
    if (before === undefined && !this.#hasRoom(present.topic, everybody.size)) return 'too many'
    if (before === undefined) this.#size += 1
    this.#told += 1
    const ref = { phx_ref: `${this.#refPrefix}.${this.#told.toString(36)}` }
    const meta = { ...told, ...ref, ...(before === undefined ? {} : { phx_ref_prev: before.phx_ref }) }
    everybody.set(present, meta)
    this.#byTopic.set(present.topic, everybody)
    return { joins: one(present, meta), leaves: before === undefined ? {} : one(present, before) }
  }

  /** Forgets a channel; `null` when it was not present. */
  untrack(present: P): PresenceDiff | null {
    const everybody = this.#byTopic.get(present.topic)
    const before = everybody?.get(present)
    if (everybody === undefined || before === undefined) return null
    everybody.delete(present)
    this.#size -= 1
    if (everybody.size === 0) this.#byTopic.delete(present.topic)
    return { joins: {}, leaves: one(present, before) }
  }

  // Without a lock: who comes to two servers at the same moment may find the last place at both.
  #hasRoom(topic: string, here: number): boolean {
    const onTopic = here + this.#elsewhere.onTopic(topic).length
    return this.#size < realtimePresencesMax && onTopic < realtimePresencesPerTopicMax
  }

  *#here(topic: string): Iterable<Presence> {
    for (const [{ presenceKey: key }, meta] of this.#byTopic.get(topic) ?? []) yield { topic, key, meta }
  }
}

/** Presences as the client wants them. */
export function byKey(presences: Iterable<Presence>): PresenceState {
  const state = Object.create(null) as Record<string, { metas: Meta[] }>
  for (const { key, meta } of presences) {
    state[key] ??= { metas: [] }
    state[key].metas.push(meta)
  }
  return state
}

/** The same, one by one. */
export function presencesOf(topic: string, state: PresenceState): Presence[] {
  return Object.entries(state).flatMap(([key, { metas }]) => metas.map((meta) => ({ topic, key, meta })))
}

function one({ topic, presenceKey: key }: Present, meta: Meta): PresenceState {
  return byKey([{ topic, key, meta }])
}
