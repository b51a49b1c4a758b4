/**
 * Who is present on the topics of this server, as the client's `track` says (wire-contract §4.8; phoenix
 * `presence.js`). Each channel is present once; tracking again replaces what it said. Refused on purpose: more than
 * the client's own size of news, and crowds, because everybody present is told of everybody else.
 */
import { realtimePresenceBytesMax, realtimePresencesPerTopicMax } from '@finanzas/contract/limits.ts'

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

export class Presences<P extends Present> {
  readonly #byTopic = new Map<string, Map<P, Meta>>()
  #told = 0

  /** Everybody who is present on a topic. */
  state(topic: string): PresenceState {
    const state: Record<string, { metas: Meta[] }> = Object.create(null) as Record<string, { metas: Meta[] }>
    for (const [{ presenceKey }, meta] of this.#byTopic.get(topic) ?? []) {
      state[presenceKey] ??= { metas: [] }
      state[presenceKey].metas.push(meta)
    }
    return state
  }

  /** Notes what a channel tells of itself, and answers what the topic is to be told; or refuses. */
  track(present: P, told: Readonly<Record<string, unknown>>): PresenceDiff | PresenceRefusal {
    if (Buffer.byteLength(JSON.stringify(told)) > realtimePresenceBytesMax) return 'too large'
    const everybody = this.#byTopic.get(present.topic) ?? new Map<P, Meta>()
    const before = everybody.get(present)
    if (before === undefined && everybody.size >= realtimePresencesPerTopicMax) return 'too many'
    this.#told += 1
    const ref = { phx_ref: this.#told.toString(36) }
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
    if (everybody.size === 0) this.#byTopic.delete(present.topic)
    return { joins: {}, leaves: one(present, before) }
  }
}

function one({ presenceKey }: Present, meta: Meta): PresenceState {
  return { [presenceKey]: { metas: [meta] } }
}
