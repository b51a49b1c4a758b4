/**
 * Presences of topics, as the client's `track` sets them (phoenix `presence.js`). Each channel has one
 * at most; tracking again replaces it. Refused on purpose: large states and large topics, because every presence is sent
 * to every other.
 */
import {
  realtimePresenceBytesMax,
  realtimePresencesMax,
  realtimePresencesPerTopicMax,
} from '@finanzas/contract/limits.ts'

/** A client's state with the reference of this `track`, by which clients remove it. */
type Meta = Readonly<Record<string, unknown>> & { readonly phx_ref: string }

/** Presences by key; several channels may share one. */
export type PresenceState = Readonly<Record<string, { readonly metas: readonly Meta[] }>>

export type PresenceDiff = { readonly joins: PresenceState; readonly leaves: PresenceState }

/** A channel, as far as presence needs it. */
export type Present = { readonly topic: string; readonly presenceKey: string }

export type PresenceRefusal = 'too large' | 'too many'

export class Presences<P extends Present> {
  readonly #refPrefix: string
  readonly #byTopic = new Map<string, Map<P, Meta>>()
  #size = 0
  #trackCount = 0

  /** `refPrefix` is unique to this process: clients compare references after a reconnect. */
  constructor(refPrefix: string) {
    this.#refPrefix = refPrefix
  }

  state(topic: string): PresenceState {
    const state = emptyState()
    for (const [{ presenceKey }, meta] of this.#byTopic.get(topic) ?? []) addTo(state, presenceKey, meta)
    return state
  }

  /** Returns the difference for the topic's members, or why the presence is refused. */
  track(present: P, state: Readonly<Record<string, unknown>>): PresenceDiff | PresenceRefusal {
    if (Buffer.byteLength(JSON.stringify(state)) > realtimePresenceBytesMax) return 'too large'
    const presences = this.#byTopic.get(present.topic) ?? new Map<P, Meta>()
    const before = presences.get(present)
    if (before === undefined && !this.#hasRoom(presences.size)) return 'too many'
    if (before === undefined) this.#size += 1
    this.#trackCount += 1
    const ref = { phx_ref: `${this.#refPrefix}.${this.#trackCount.toString(36)}` }
    const meta = { ...state, ...ref, ...(before === undefined ? {} : { phx_ref_prev: before.phx_ref }) }
    presences.set(present, meta)
    this.#byTopic.set(present.topic, presences)
    return { joins: one(present, meta), leaves: before === undefined ? {} : one(present, before) }
  }

  /** `null` when the channel was not present. */
  untrack(present: P): PresenceDiff | null {
    const presences = this.#byTopic.get(present.topic)
    const before = presences?.get(present)
    if (presences === undefined || before === undefined) return null
    presences.delete(present)
    this.#size -= 1
    if (presences.size === 0) this.#byTopic.delete(present.topic)
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
