/**
 * Hears what the other servers tell, and hands it to the channels of this one. Read when the change feed has seen that
 * there is something, and by a clock only while somebody here listens to who is present: without either it costs the
 * database nothing.
 */
import { emptySnapshot } from '#database/changes.ts'
import { Errand } from '#database/errand.ts'
import { asService } from '#database/scope.ts'
import { PresenceInbound, type PresenceInboundServices } from './presence-inbound.ts'
import type { RelayBatch, RelayMessage } from './relay-messages.ts'
import { type RelayNews, readNews } from './relay-statements.ts'
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
  /** The database has not crashed since it was taken. */
  #lifetime: string | null = null
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
    this.#reading.run()
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
    const at = performance.now()
    const wasAbsent = this.#wasAbsent
    this.#isBehind = false
    const { news, isAfterCrash } = await this.#readNews(wasAbsent ? null : this.#snapshot).catch(
      (error: unknown) => {
        this.#isBehind = true
        throw error
      },
    )
    // Before anything is done with it: what cannot be handed on once, cannot be the second time.
    this.#snapshot = news.snapshot
    this.#completeAt = at
    const batches = news.batches.map(({ server, messages }) => ({
      server,
      messages: JSON.parse(messages) as RelayMessage[],
    }))
    await this.#broadcast(batches)
    if (!this.#presence.isHeard) return
    await this.#presence.learn(news.servers, { batches, begins: wasAbsent || isAfterCrash, at })
  }

  /** After a crash everything that is there is new. */
  async #readNews(last: string | null): Promise<{ news: RelayNews; isAfterCrash: boolean }> {
    const { database, self } = this.#services
    const [[news]] = await database.transaction(asService('supabase_realtime_admin', 'read'), [
      readNews(self, last),
    ])
    if (news === undefined) throw new Error('Nothing was answered.')
    const before = this.#lifetime
    this.#lifetime = news.lifetime
    if (last === null || last === emptySnapshot || before === news.lifetime)
      return { news, isAfterCrash: false }
    const { news: all } = await this.#readNews(emptySnapshot)
    return { news: all, isAfterCrash: true }
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
