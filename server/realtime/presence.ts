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

/** What there is to know of a channel here. */
export type Present = { readonly topic: string; readonly presenceKey: string }

/** Why a channel is not present. */
export type PresenceRefusal = 'too large' | 'too many'

/** The channels of this server that are present. */
export class Presences<P extends Present> {
  readonly #refPrefix: string
  readonly #byTopic = new Map<string, Map<P, Meta>>()
  #size = 0
  #told = 0

  /** `refPrefix` tells the references of this process from those of the one before it: clients compare them after a reconnect. */
  constructor(refPrefix: string) {
    this.#refPrefix = refPrefix
  }

  /** Everything that is present on a topic. */
  state(topic: string): PresenceState {
    const state = emptyState()
    for (const [{ presenceKey }, meta] of this.#byTopic.get(topic) ?? []) addTo(state, presenceKey, meta)
    return state
  }

  /** Notes what a channel tells of itself, and answers what the topic is to be told; or refuses. */
  track(present: P, told: Readonly<Record<string, unknown>>): PresenceDiff | PresenceRefusal {
    if (Buffer.byteLength(JSON.stringify(told)) > realtimePresenceBytesMax) return 'too large'
    const everybody = this.#byTopic.get(present.topic) ?? new Map<P, Meta>()
    const before = everybody.get(present)
    if (before === undefined && !this.#hasRoom(everybody.size)) return 'too many'
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

  #hasRoom(onTopic: number): boolean {
    return this.#size < realtimePresencesMax && onTopic < realtimePresencesPerTopicMax
  }
}

type MutableState = Record<string, { metas: Meta[] }>

/** Without a prototype: clients choose the keys. */
function emptyState(): MutableState {
  return Object.create(null) as MutableState
}

function addTo(state: MutableState, key: string, meta: Meta): void {
  state[key] ??= { metas: [] }
  state[key].metas.push(meta)
}

function one({ presenceKey }: Present, meta: Meta): PresenceState {
  const state = emptyState()
  addTo(state, presenceKey, meta)
  return state
}
