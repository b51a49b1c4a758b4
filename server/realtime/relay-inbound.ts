/**
 * Hears what the other servers tell, and hands it to the channels of this one. Read when the change feed has seen that
 * there is something, and by a clock only while somebody here listens to who is present: without either it costs the
 * database nothing.
 */
import { Errand } from '#database/errand.ts'
import { asService } from '#database/scope.ts'
import { PresenceInbound, type PresenceInboundServices } from './presence-inbound.ts'
import type { RelayBatch, RelayMessage } from './relay-messages.ts'
import { readNews } from './relay-statements.ts'
import { Turns } from './turns.ts'

/** How often signs of life are looked for while somebody listens. */
const signIntervalMs = 4000
/** Who could not look for so long may have missed what has been swept away. */
const absenceMaxMs = 10_000

export type InboundServices = PresenceInboundServices & {
  /** The name of this server. */
  readonly self: string
  readonly onFailure: (error: unknown) => void
}

export class RelayInbound {
  readonly #services: InboundServices
  readonly #reading: Errand
  readonly #presence: PresenceInbound
  readonly #signs: NodeJS.Timeout
  /** What this snapshot saw has been handed on. */
  #snapshot: string | null = null
  /** Whether there is more to read. */
  #isBehind = false
  /** When everything had been read. */
  #completeAt = -Infinity

  constructor(services: InboundServices) {
    this.#services = services
    this.#reading = new Errand(() => this.#read(), services.onFailure)
    this.#presence = new PresenceInbound(services, () => this.#reading.run())
    this.#signs = setInterval(() => {
      if (this.#presence.isHeard) this.#reading.run()
    }, signIntervalMs).unref()
  }

  /** Somebody has looked whether there is anything to read. */
  look(hasMessages: boolean): void {
    if (hasMessages) this.#isBehind = true
    if (this.#isBehind || this.#wasAbsent) this.#reading.run()
    else this.#completeAt = performance.now()
  }

  /** Somebody listens to who is present, from now on. */
  hear(hearer: object): void {
    this.#presence.hear(hearer)
  }

  unhear(hearer: object): void {
    this.#presence.unhear(hearer)
  }

  async close(): Promise<void> {
    clearInterval(this.#signs)
    this.#presence.close()
    await this.#reading.close()
  }

  get #wasAbsent(): boolean {
    return performance.now() - this.#completeAt > absenceMaxMs
  }

  async #read(): Promise<void> {
    const { database, self } = this.#services
    const at = performance.now()
    const begins = this.#wasAbsent
    this.#isBehind = false
    const reading = database.transaction(asService('supabase_realtime_admin', 'read'), [
      readNews(self, begins ? null : this.#snapshot),
    ])
    const [[news]] = await reading.catch((error: unknown) => {
      this.#isBehind = true
      throw error
    })
    if (news === undefined) return
    // Before anything is done with it: what cannot be handed on once, cannot be the second time.
    this.#snapshot = news.snapshot
    this.#completeAt = at
    const batches = news.batches.map(({ server, messages }) => ({
      server,
      messages: JSON.parse(messages) as RelayMessage[],
    }))
    await this.#broadcast(batches)
    if (this.#presence.isHeard) await this.#presence.learn(news.servers, { batches, begins, at })
  }

  async #broadcast(batches: readonly RelayBatch[]): Promise<void> {
    const { registry, tellings } = this.#services
    const turns = new Turns()
    for (const message of batches.flatMap(({ messages }) => messages)) {
      if (message.kind !== 'broadcast') continue
      if (turns.isOver) await turns.pass()
      const { topic, payload } = message
      const members = registry.onTopic(topic)
      if (members.length === 0 || !tellings.allow(payload, members.length)) continue
      for (const member of members) member.send('broadcast', payload)
    }
  }
}
