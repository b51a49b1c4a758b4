/**
 * Hears what the other servers tell, and hands it to the channels of this one. Read when the change feed has seen that
 * there is something, and by a clock only while somebody here listens to who is present: without either it costs the
 * database nothing.
 */
import type { Database } from '#database/database.ts'
import { Errand } from '#database/errand.ts'
import { asService } from '#database/scope.ts'
import type { OthersPresent } from './others-present.ts'
import type { Presence } from './presence.ts'
import type { RelayMessage } from './relay-messages.ts'
import { type RelayNews, readNews, readPresences } from './relay-statements.ts'
import type { Tellings } from './tellings.ts'
import { Turns } from './turns.ts'

/** Who gives no sign of life for so long is dead: two are given in that time. */
const believedMs = 10_000
/** How often signs are looked for; with the time above, somebody whose server died is gone within 14 s. */
const signIntervalMs = 4000
/** Who could not look for so long may have missed what has been swept away. */
const absenceMaxMs = 10_000
/** When what was too much for one second is told. */
const tellAgainMs = 1000

/** A channel, as the relay sees it. */
export type Listener = {
  readonly hearsPresence: boolean
  send(event: string, payload: Readonly<Record<string, unknown>>): void
}

export type InboundServices = {
  readonly database: Database
  /** The name of this server. */
  readonly self: string
  /** The channels of this server. */
  readonly registry: { onTopic(topic: string): readonly Listener[] }
  readonly others: OthersPresent
  readonly tellings: Tellings
  readonly onFailure: (error: unknown) => void
}

/** What one database transaction of a server left, read. */
type Batch = { readonly server: string; readonly messages: readonly RelayMessage[] }

export class RelayInbound {
  readonly #services: InboundServices
  readonly #reading: Errand
  readonly #signs: NodeJS.Timeout
  #tellAgain: NodeJS.Timeout | undefined
  /** Those who listen to who is present. */
  readonly #hearers = new Set<object>()
  /** What this snapshot saw has been handed on. */
  #snapshot: string | null = null
  /** Whether there is more to read. */
  #isBehind = false
  /** When everything had been read. */
  #completeAt = -Infinity
  /** Servers of which it has to be read who is present there. */
  readonly #unread = new Set<string>()

  constructor(services: InboundServices) {
    this.#services = services
    this.#reading = new Errand(() => this.#read(), services.onFailure)
    this.#signs = setInterval(() => {
      if (this.#hearers.size > 0) this.#reading.run()
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
    this.#hearers.add(hearer)
    if (this.#hearers.size === 1) this.#reading.run()
  }

  unhear(hearer: object): void {
    if (this.#hearers.delete(hearer) && this.#hearers.size === 0) this.#services.others.clear()
  }

  async close(): Promise<void> {
    clearInterval(this.#signs)
    clearTimeout(this.#tellAgain)
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
    if (this.#hearers.size > 0) await this.#learnWhoIsPresent(news, { batches, begins, at })
  }

  async #broadcast(batches: readonly Batch[]): Promise<void> {
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

  async #learnWhoIsPresent(
    { servers }: RelayNews,
    { batches, begins, at }: { batches: readonly Batch[]; begins: boolean; at: number },
  ): Promise<void> {
    const { others } = this.#services
    const aliveUntil = new Map(
      servers
        .filter(({ silentMs }) => silentMs < believedMs)
        .map(({ server, silentMs }) => [server, at + believedMs - silentMs]),
    )
    // A database that has crashed has forgotten the others, and they need a moment to come back.
    if (begins) others.believeAll(at + believedMs)
    for (const [server, until] of aliveUntil) {
      others.believe(server, until)
      if (begins || !others.knows(server)) this.#unread.add(server)
    }
    for (const { server, messages } of batches) for (const message of messages) this.#take(server, message)
    others.forgetDead(at)
    await this.#readWhoIsPresent(aliveUntil)
    await this.#tell()
  }

  #take(server: string, message: RelayMessage): void {
    const { others } = this.#services
    if (message.kind === 'presence') others.apply(server, message.topic, message.diff)
    else if (message.kind === 'anew') this.#unread.add(server)
    else if (message.kind === 'gone') others.forget(server)
  }

  /** Reads it of the servers that are new here or ask for it; one that has gone again is not asked. */
  async #readWhoIsPresent(aliveUntil: ReadonlyMap<string, number>): Promise<void> {
    const { database, others } = this.#services
    const wanted = [...aliveUntil].filter(([server]) => this.#unread.has(server))
    if (wanted.length > 0) {
      const [rows] = await database.transaction(asService('supabase_realtime_admin', 'read'), [
        readPresences(wanted.map(([server]) => server)),
      ])
      // Nobody listens any more: nothing is kept for nobody.
      if (this.#hearers.size === 0) return
      const present = Map.groupBy(rows, ({ server }) => server)
      for (const [server, until] of wanted) {
        const presences = (present.get(server) ?? []).map((row) => JSON.parse(row.present) as Presence)
        others.replace(server, until, presences)
      }
    }
    this.#unread.clear()
  }

  async #tell(): Promise<void> {
    const { registry, others, tellings } = this.#services
    const turns = new Turns()
    for (const topic of others.untold) {
      if (turns.isOver) await turns.pass()
      const news = others.news(topic)
      const hearers = registry.onTopic(topic).filter(({ hearsPresence }) => hearsPresence)
      if (news !== null && hearers.length > 0) {
        if (!tellings.allow(news, hearers.length)) {
          this.#tellAgain ??= setTimeout(() => {
            this.#tellAgain = undefined
            this.#reading.run()
          }, tellAgainMs).unref()
          continue
        }
        for (const hearer of hearers) hearer.send('presence_diff', news)
      }
      others.noteTold(topic)
    }
  }
}
