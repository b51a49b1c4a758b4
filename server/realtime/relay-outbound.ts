/**
 * Tells the other servers what was said here and who is present: in one database transaction at a time, with everything
 * that came meanwhile in the next one. What cannot be written is dropped, for nobody is promised a broadcast; who is
 * present is then written down anew.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, SqlStatement } from '#database/database.ts'
import { Errand } from '#database/errand.ts'
import { asService } from '#database/scope.ts'
import { type Presence, presencesOf } from './presence.ts'
import { type RelayMessage, WaitingMessages } from './relay-messages.ts'
import {
  addPresences,
  giveSign,
  leaveMessages,
  register,
  removePresences,
  unregister,
} from './relay-statements.ts'

/** How often a server at which somebody is present gives a sign of life. */
const signIntervalMs = 4000
/** Between two database transactions: a flood is some fifty of them in a second, whoever takes part. */
const gatherMs = 20
/** A server that ends does not wait for longer until the others have been told. */
const leaveWaitMs = 1000

export type OutboundServices = {
  readonly database: Database
  /** The name of this server. */
  readonly self: string
  /** Who is present here. */
  readonly presences: Iterable<Presence> & { readonly size: number }
  readonly onFailure: (error: unknown) => void
}

export class RelayOutbound {
  readonly #services: OutboundServices
  readonly #waiting = new WaitingMessages()
  readonly #saying: Errand
  readonly #signs: NodeJS.Timeout
  /** Whether who is present here is written down, so that changes are enough. */
  #isRegistered = false

  constructor(services: OutboundServices) {
    this.#services = services
    this.#saying = new Errand(() => this.#say(), services.onFailure)
    this.#signs = setInterval(() => {
      if (this.#isRegistered || services.presences.size > 0) this.#saying.run()
    }, signIntervalMs).unref()
  }

  /** Has it told, soon. Nothing waits for it. */
  tell(message: RelayMessage): void {
    const isTold = this.#waiting.add(message)
    if (!isTold && message.kind === 'presence') this.#isRegistered = false
    this.#saying.run()
  }

  /** Tells what there is to tell, and that nobody is present here any more. */
  async close(): Promise<void> {
    clearInterval(this.#signs)
    await Promise.race([this.#leave(), pause(leaveWaitMs, undefined, { ref: false })])
  }

  async #say(): Promise<void> {
    const { self, presences } = this.#services
    const messages = this.#waiting.take()
    try {
      if (!this.#isRegistered && presences.size > 0) {
        const others = messages.filter(({ kind }) => kind !== 'presence')
        await this.#write([
          unregister(self),
          register(self),
          addPresences(self, presences),
          leaveMessages(self, [{ kind: 'anew' }, ...others]),
        ])
        this.#isRegistered = true
      } else if (this.#isRegistered) {
        await this.#sayChanges(messages)
      } else if (messages.length > 0) {
        await this.#write([leaveMessages(self, messages)])
      }
    } catch (error) {
      this.#isRegistered = false
      throw error
    } finally {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
  }

  async #sayChanges(messages: readonly RelayMessage[]): Promise<void> {
    const { self, presences } = this.#services
    if (messages.length === 0 && presences.size === 0) {
      this.#isRegistered = false
      await this.#write([unregister(self), leaveMessages(self, [{ kind: 'gone' }])])
      return
    }
    const { come, gone } = changesIn(messages)
    const [signs] = await this.#write([
      giveSign(self),
      ...(gone.length > 0 ? [removePresences(self, gone)] : []),
      ...(come.length > 0 ? [addPresences(self, come)] : []),
      ...(messages.length > 0 ? [leaveMessages(self, messages)] : []),
    ])
    if (signs?.length !== 0) return
    // The database has crashed and forgotten, or this server was away for so long that the others took it for dead.
    this.#isRegistered = false
    this.#saying.run()
  }

  async #leave(): Promise<void> {
    await this.#saying.close()
    const { self } = this.#services
    const messages = this.#waiting.take()
    // What goes wrong now is nobody's trouble: the others stop believing in this server by themselves.
    if (this.#isRegistered)
      await this.#write([unregister(self), leaveMessages(self, [...messages, { kind: 'gone' }])]).catch(
        () => undefined,
      )
    else if (messages.length > 0) await this.#write([leaveMessages(self, messages)]).catch(() => undefined)
  }

  #write(statements: readonly SqlStatement[]) {
    return this.#services.database.transaction(asService('supabase_realtime_admin', 'write'), statements)
  }
}

/** Who is to be added and taken away after all of it, whoever came and went in between. */
function changesIn(messages: readonly RelayMessage[]): { come: Presence[]; gone: string[] } {
  const come = new Map<string, Presence>()
  const gone: string[] = []
  for (const message of messages) {
    if (message.kind !== 'presence') continue
    const { topic, diff } = message
    for (const { meta } of presencesOf(topic, diff.leaves))
      if (!come.delete(meta.phx_ref)) gone.push(meta.phx_ref)
    for (const presence of presencesOf(topic, diff.joins)) come.set(presence.meta.phx_ref, presence)
  }
  return { come: [...come.values()], gone }
}
