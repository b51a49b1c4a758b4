/**
 * From the change feed to the channels. A channel's filter decides what it asked for, then the database
 * decides what its caller may see, once for each caller and batch; that also proves that the session is
 * alive (security.md RT-01, RT-03). `old_record` is the primary key, as upstream sends it under RLS.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Change, ChangeListener, EndedAccess } from '#database/changes.ts'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import type { Channel } from '#realtime/connection/channel.ts'
import type { RealtimeCounts } from '#realtime/connection/counts.ts'
import { systemMessages } from '#realtime/errors.ts'
import { isSamePerson, isSessionEnd } from '#realtime/connection/identify.ts'
import { type JudgingServices, type Message, judge, judgeTogether } from './authorize.ts'
import { type Delivery, groupByCaller } from './matching.ts'
import type { Registry } from '#realtime/connection/registry.ts'
import { Turns } from './turns.ts'

export type DeliveryServices = JudgingServices & {
  readonly registry: Registry<Channel>
  readonly counts: RealtimeCounts
  readonly log: { error(fields: object, message: string): void }
}

/** Database transactions that judge at the same time, and callers that one of them judges for. */
const questionsAtOnce = 4
const callersInQuestionMax = 32
const retryIntervalMs = 500

type ChannelDelivery = Delivery<Channel>

/** What listens to the change feed for all channels of this process. */
export function deliverTo(services: DeliveryServices): ChangeListener {
  const { registry, log } = services
  const onChangesMissed = () => {
    for (const channel of registry) if (channel.subscriptions.length > 0) channel.crash()
  }
  return {
    async onChanges(changes) {
      try {
        await deliverAll(services, changes)
      } catch (error) {
        log.error({ err: error }, 'changes could not be delivered')
        onChangesMissed()
      }
    },
    onEndedAccess(ended) {
      for (const each of ended) endAccess(registry, each)
    },
    onChangesMissed,
    onGap() {
      for (const channel of registry) channel.crash()
    },
    onFailure(error) {
      log.error({ err: error }, 'the change feed failed')
    },
  }
}

async function deliverAll(services: DeliveryServices, changes: readonly Change[]): Promise<void> {
  // A copy: channels come and go meanwhile. One that comes joined after these were committed.
  const groups = await groupByCaller([...services.registry], changes)
  const share = Math.min(callersInQuestionMax, Math.ceil(groups.length / questionsAtOnce))
  const worker = async () => {
    while (groups.length > 0) await deliverTogether(services, groups.splice(0, share))
  }
  await Promise.all(Array.from({ length: questionsAtOnce }, worker))
}

/**
 * Judges for several callers in one database transaction, which costs far less than one for each. Whatever stands in
 * the way, an ended session of one of them or a database that is away, is then found out one by one.
 */
async function deliverTogether(
  services: DeliveryServices,
  groups: readonly (readonly ChannelDelivery[])[],
): Promise<void> {
  const judged = groups.length > 1 ? await judgeTogether(services, groups).catch(nullWhenRefused) : null
  for (const [place, group] of groups.entries()) {
    const messages = judged?.[place]
    if (messages === undefined) await deliver(services, group)
    else await send(services, group, messages)
  }
}

function nullWhenRefused(error: unknown): null {
  if (error instanceof SqlError || error instanceof DatabaseUnavailable) return null
  throw error
}

/** A session that ended takes its channels with it; without a session's id, all of that user's. */
function endAccess(registry: Registry<Channel>, { userId, sessionId }: EndedAccess): void {
  for (const channel of registry.ofUser(userId)) {
    const { caller } = channel
    if (caller?.role !== 'authenticated') continue
    if (sessionId === null || sessionId === caller.claims.session_id) channel.end(systemMessages.sessionEnded)
  }
}

async function deliver(services: DeliveryServices, group: readonly ChannelDelivery[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const open = group.filter(({ channel }) => channel.isJoined)
    const [first] = open
    if (first === undefined) return
    try {
      await send(services, open, await judge(services, first.caller, open))
      return
    } catch (error) {
      if (isSessionEnd(error)) {
        for (const { channel, caller } of open) {
          if (channel.caller === caller) channel.end(systemMessages.sessionEnded)
          else channel.crash()
        }
        return
      }
      await untilNextAttempt(services, { error, attempt, open })
    }
  }
}

/** Sends what was judged visible; a channel may have closed or changed hands meanwhile. */
async function send(
  { counts }: DeliveryServices,
  deliveries: readonly ChannelDelivery[],
  messages: ReadonlyMap<Change, Message>,
): Promise<void> {
  const turns = new Turns()
  for (const { channel, caller, change, ids } of deliveries) {
    if (turns.isOver) await turns.pass()
    const data = messages.get(change)
    // A token that was renewed meanwhile changes nothing, another user everything.
    if (data !== undefined && isSamePerson(channel.caller, caller)) {
      channel.send('postgres_changes', { ids, data })
      counts.events += 1
    }
  }
}

/** Waits before the database is asked again; when that is no use, the channels have to join anew. */
async function untilNextAttempt(
  { log, tables }: DeliveryServices,
  { error, attempt, open }: { error: unknown; attempt: number; open: readonly ChannelDelivery[] },
): Promise<void> {
  if (attempt >= attemptsMax(error)) {
    log.error({ err: error }, 'changes could not be judged')
    for (const { channel } of open) channel.crash()
    return
  }
  // The catalogue may have changed under a policy's text.
  for (const { caller } of open) tables.forget(caller.role)
  await pause(retryIntervalMs)
}

/** How often the database is asked: longer when it is away than when it refuses. Mistakes of ours stay mistakes. */
function attemptsMax(error: unknown): number {
  if (error instanceof DatabaseUnavailable) return 10
  return error instanceof SqlError ? 2 : 1
}
