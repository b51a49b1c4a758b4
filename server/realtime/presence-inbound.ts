/**
 * Learns who is present at the other servers, while somebody here listens: whole when it begins to know a server, by
 * differences after that; and tells the channels of this one.
 */
import type { Database } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { OthersPresent } from './others-present.ts'
import type { Presence } from './presence.ts'
import type { RelayBatch, RelayMessage } from './relay-messages.ts'
import { type ServerSign, readPresences } from './relay-statements.ts'
import type { Tellings } from './tellings.ts'
import { Turns } from './turns.ts'

/** Who gives no sign of life for so long is dead: two are given in that time. */
const believedMs = 10_000
/** When what was too much for one second is told. */
const tellAgainMs = 1000

/** A channel, as the relay sees it. */
export type Listener = {
  readonly hearsPresence: boolean
  send(event: string, payload: Readonly<Record<string, unknown>>): void
}

export type PresenceInboundServices = {
  readonly database: Database
  /** The channels of this server. */
  readonly registry: { onTopic(topic: string): readonly Listener[] }
  readonly others: OthersPresent
  readonly tellings: Tellings
}

export class PresenceInbound {
  readonly #services: PresenceInboundServices
  readonly #readAgain: () => void
  #tellAgain: NodeJS.Timeout | undefined
  readonly #hearers = new Set<object>()
  /** Servers of which it has to be read who is present there. */
  readonly #unread = new Set<string>()

  /** `readAgain` has what the others say read, and learned here. */
  constructor(services: PresenceInboundServices, readAgain: () => void) {
    this.#services = services
    this.#readAgain = readAgain
  }

  get isHeard(): boolean {
    return this.#hearers.size > 0
  }

  hear(hearer: object): void {
    this.#hearers.add(hearer)
    if (this.#hearers.size === 1) this.#readAgain()
  }

  unhear(hearer: object): void {
    if (this.#hearers.delete(hearer) && !this.isHeard) this.#services.others.clear()
  }

  close(): void {
    clearTimeout(this.#tellAgain)
  }

  /** Takes the signs of life and the messages read at a time; `begins` when there may have been more. */
  async learn(
    servers: readonly ServerSign[],
    { batches, begins, at }: { batches: readonly RelayBatch[]; begins: boolean; at: number },
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
    await this.#readUnread(aliveUntil)
    await this.#tell()
  }

  #take(server: string, message: RelayMessage): void {
    const { others } = this.#services
    if (message.kind === 'presence') others.apply(server, message.topic, message.diff)
    else if (message.kind === 'anew') this.#unread.add(server)
    else if (message.kind === 'gone') others.forget(server)
  }

  /** One that has gone again meanwhile is not asked. */
  async #readUnread(aliveUntil: ReadonlyMap<string, number>): Promise<void> {
    const { database, others } = this.#services
    const wanted = [...aliveUntil].filter(([server]) => this.#unread.has(server))
    if (wanted.length > 0) {
      const [rows] = await database.transaction(asService('supabase_realtime_admin', 'read'), [
        readPresences(wanted.map(([server]) => server)),
      ])
      const present = Map.groupBy(rows, ({ server }) => server)
      // Nobody listens any more: nothing is kept for nobody.
      if (!this.isHeard) return
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
          this.#tellLater()
          continue
        }
        for (const hearer of hearers) hearer.send('presence_diff', news)
      }
      others.noteTold(topic)
    }
  }

  #tellLater(): void {
    this.#tellAgain ??= setTimeout(() => {
      this.#tellAgain = undefined
      this.#readAgain()
    }, tellAgainMs).unref()
  }
}
