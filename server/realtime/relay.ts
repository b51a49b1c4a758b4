/**
 * What is said to the topics of this server, for the members of the same topics at other servers, and the other way
 * round (docs/decisions/0038). The database carries it; the embedded engine has one server.
 */
import { realtimeRelayedBytesPerSecondMax } from '@finanzas/contract/limits.ts'
import type { ChangeFeed } from '#database/changes.ts'
import { Errand } from '#database/errand.ts'
import { asService } from '#database/scope.ts'
import type { PresenceDiff } from './presence.ts'
import { type InboundServices, RelayInbound } from './relay-inbound.ts'
import { type OutboundServices, RelayOutbound } from './relay-outbound.ts'
import { deleteOld, hasOld } from './relay-statements.ts'
import { Tellings } from './tellings.ts'

export type Relay = {
  /** Tells it, unless too much was told in this second. */
  broadcast(topic: string, payload: Readonly<Record<string, unknown>>): void
  /** Whether there is room for somebody who comes and one day goes; counts it when there is. */
  mayTrack(told: Readonly<Record<string, unknown>>): boolean
  presence(topic: string, diff: PresenceDiff): void
  /** This channel listens to who is present, at the other servers too. */
  hear(channel: object): void
  unhear(channel: object): void
  /** Tells the others that this server ends. */
  close(): Promise<void>
}

/** Longer than anybody's absence that is not a new beginning. */
const keptSeconds = 20
const sweepIntervalMs = 15_000

export type RelayServices = Omit<OutboundServices & InboundServices, 'onFailure'> & {
  readonly changes: ChangeFeed
  readonly log: { error(fields: object, message: string): void }
}

/** Starts to listen to the other servers of this database, if it may have any. */
export function openRelay(services: RelayServices): Relay {
  if (services.database.engine === 'pglite') return noRelay
  const { database, changes, log } = services
  const onFailure = (error: unknown) => log.error({ err: error }, 'the servers could not tell each other')
  const budget = new Tellings(realtimeRelayedBytesPerSecondMax)
  const outbound = new RelayOutbound({ ...services, onFailure })
  const inbound = new RelayInbound({ ...services, onFailure })
  changes.onLook((hasMessages) => inbound.look(hasMessages))
  const sweeping = new Errand(async () => {
    // Looking first: an idle server has nothing to write.
    const [[found]] = await database.transaction(asService('supabase_realtime_admin', 'read'), [
      hasOld(keptSeconds),
    ])
    if (found?.hasOld !== true) return
    await database.transaction(asService('supabase_realtime_admin', 'write'), deleteOld(keptSeconds))
  }, onFailure)
  const sweep = setInterval(() => sweeping.run(), sweepIntervalMs).unref()

  return {
    broadcast(topic, payload) {
      if (budget.allow(payload, 1)) outbound.tell({ kind: 'broadcast', topic, payload })
    },
    mayTrack: (told) => budget.allow(told, 2),
    presence: (topic, diff) => outbound.tell({ kind: 'presence', topic, diff }),
    hear: (channel) => inbound.hear(channel),
    unhear: (channel) => inbound.unhear(channel),
    async close() {
      clearInterval(sweep)
      await Promise.all([outbound.close(), inbound.close(), sweeping.close()])
    },
  }
}

const noRelay: Relay = {
  broadcast: () => undefined,
  mayTrack: () => true,
  presence: () => undefined,
  hear: () => undefined,
  unhear: () => undefined,
  close: () => Promise.resolve(),
}
