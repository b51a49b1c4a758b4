/**
 * Delivers the change feed to the channels. First, a channel's filters select changes. Then the database decides, once
 * per caller and batch, which of the selected changes the caller may see. The same query checks that the caller's
 * session has not ended (security.md RT-01, RT-03).
 */
import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises'
import type { Change, ChangeListener, RevokedSession } from './feed.ts'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import type { Channel } from '#realtime/connection/channel.ts'
import { isSamePerson, isSessionEnd } from '#realtime/connection/join.ts'
import type { Registry } from '#realtime/connection/registry.ts'
import { systemMessages } from '#realtime/errors.ts'
import { type AuthorizationServices, type Message, authorizeBatch, authorizeChanges } from './authorize.ts'
import { type Delivery, groupByCaller } from './matching.ts'

export type DeliveryServices = AuthorizationServices & {
  readonly registry: Registry<Channel>
  readonly log: { error(fields: object, message: string): void }
}

/** Maximum number of concurrent database transactions, and maximum number of callers per transaction. */
const batchConcurrency = 4
const callersPerBatchMax = 32
const retryIntervalMs = 500
/** Maximum number of frames to send in one turn of the event loop. */
const framesPerTurn = 100

type ChannelDelivery = Delivery<Channel>

/** Returns the listener that delivers the change feed to all channels of this process. */
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
    onRevocations(revoked) {
      for (const each of revoked) closeChannelsOf(registry, each)
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
  // Copies the list of channels, because channels may open and close during the delivery. A channel that opens during
  // the delivery does not need the delivered changes, because they were committed before the channel joined.
  const groups = await groupByCaller([...services.registry], changes)
  const batchSize = Math.min(callersPerBatchMax, Math.ceil(groups.length / batchConcurrency))
  const worker = async () => {
    while (groups.length > 0) await deliverBatch(services, groups.splice(0, batchSize))
  }
  await Promise.all(Array.from({ length: batchConcurrency }, worker))
}

/**
 * Authorizes several callers in one database transaction, which costs far less than one transaction per caller. If this
 * shared transaction fails, for example because one session has ended, each caller's changes are authorized again in a
 * separate transaction.
 */
async function deliverBatch(
  services: DeliveryServices,
  groups: readonly (readonly ChannelDelivery[])[],
): Promise<void> {
  const authorized = groups.length > 1 ? await authorizeBatch(services, groups).catch(nullWhenRefused) : null
  for (const [index, group] of groups.entries()) {
    const messages = authorized?.[index]
    if (messages === undefined) await deliver(services, group)
    else await send(services, group, messages)
  }
}

function nullWhenRefused(error: unknown): null {
  if (error instanceof SqlError || error instanceof DatabaseUnavailable) return null
  throw error
}

/** Closes the channels of a revoked session. */
function closeChannelsOf(registry: Registry<Channel>, { userId, sessionId }: RevokedSession): void {
  for (const channel of registry.ofUser(userId)) {
    const { caller } = channel
    if (caller?.role !== 'authenticated') continue
    if (sessionId === caller.claims.session_id) channel.end(systemMessages.sessionEnded)
  }
}

async function deliver(services: DeliveryServices, group: readonly ChannelDelivery[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const open = group.filter(({ channel }) => channel.isJoined)
    const [first] = open
    if (first === undefined) return
    try {
      await send(services, open, await authorizeChanges(services, first.caller, open))
      return
    } catch (error) {
      if (isSessionEnd(error)) return open.forEach(endSession)
      await untilNextAttempt(services, { error, attempt, open })
    }
  }
}

/** Closes a channel whose session has ended. A channel that got another token in the meantime joins again. */
function endSession({ channel, caller }: ChannelDelivery): void {
  if (channel.caller === caller) channel.end(systemMessages.sessionEnded)
  else channel.crash()
}

/** Sends the changes that the caller may see. Skips channels that have closed or changed their user in the meantime. */
async function send(
  { registry }: DeliveryServices,
  deliveries: readonly ChannelDelivery[],
  messages: ReadonlyMap<Change, Message>,
): Promise<void> {
  for (const [index, { channel, caller, change, ids }] of deliveries.entries()) {
    if (index % framesPerTurn === framesPerTurn - 1) await yieldToEventLoop()
    const data = messages.get(change)
    // The channel may have received a new token since the changes were selected. The new token must belong to the same
    // user.
    if (data !== undefined && isSamePerson(channel.caller, caller)) {
      channel.send('postgres_changes', { ids, data })
      registry.counters.events += 1
    }
  }
}

/**
 * Waits before the next attempt. After the last attempt, closes the channels with an error, so that their clients join
 * again.
 */
async function untilNextAttempt(
  { log, tables }: DeliveryServices,
  { error, attempt, open }: { error: unknown; attempt: number; open: readonly ChannelDelivery[] },
): Promise<void> {
  if (attempt >= attemptsMax(error)) {
    log.error({ err: error }, 'changes could not be authorized')
    for (const { channel } of open) channel.crash()
    return
  }
  // The attempt may have failed because a cached policy is outdated.
  for (const { caller } of open) tables.forget(caller.role)
  await pause(retryIntervalMs)
}

/**
 * Returns the maximum number of attempts: ten during an outage, two if the database refuses the query, and one for a
 * bug.
 */
function attemptsMax(error: unknown): number {
  if (error instanceof DatabaseUnavailable) return 10
  return error instanceof SqlError ? 2 : 1
}
