/** Matches changes against the subscriptions of all channels. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Change } from './feed.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Subscription } from './subscriptions.ts'

/** Maximum number of conditions to evaluate in one turn of the event loop. The slowest condition takes 0.15 ms. */
const conditionsPerTurnMax = 50

/** The part of a channel that this module uses to match changes. */
export type Subscriber = {
  readonly caller: Caller | null
  readonly subscriptions: readonly Subscription[]
}

/** One change for one channel. `caller` is the caller that the channel had when the change was matched. */
export type Delivery<C extends Subscriber> = {
  readonly channel: C
  readonly caller: Caller
  readonly change: Change
  readonly ids: readonly number[]
}

/**
 * Returns the changes that pass the filters, grouped by caller. Each channel's changes stay in order. Callers at the
 * end of the list wait longest for the authorization. Callers whose ids occur in a changed row therefore come first,
 * because they are most likely to be allowed to see the row.
 */
export async function groupByCaller<C extends Subscriber>(
  channels: readonly C[],
  changes: readonly Change[],
): Promise<Delivery<C>[][]> {
  const groups = new Map<unknown, Delivery<C>[]>()
  // Reads each channel's caller only once. Otherwise, a token that is renewed during the loop would split the channel's
  // changes into two groups.
  const subscribers = channels.map((channel) => {
    const { caller, subscriptions } = channel
    return { channel, caller, subscriptions }
  })
  let tested = 0
  for (const change of changes) {
    // The loop compares every change with every filter on this server, so it regularly lets the event loop handle other
    // work.
    await yieldToEventLoop()
    for (const { channel, caller, subscriptions } of subscribers) {
      if (caller === null || subscriptions.length === 0) continue
      tested += subscriptions.length
      if (tested >= conditionsPerTurnMax) {
        tested = 0
        await yieldToEventLoop()
      }
      const ids = subscriptions.filter((each) => each.matches(change)).map(({ id }) => id)
      if (ids.length === 0) continue
      const key = caller.role === 'authenticated' ? caller.claims : caller.role
      const group = groups.get(key) ?? []
      groups.set(key, group)
      group.push({ channel, caller, change, ids })
    }
  }
  const named = new Set(changes.flatMap(({ record, oldRecord }) => Object.values(record ?? oldRecord ?? {})))
  const isFirst = ([first]: readonly Delivery<C>[]) => isNamed(first?.caller, named)
  return [...groups.values()].sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
}

function isNamed(caller: Caller | undefined, named: ReadonlySet<unknown>): boolean {
  return caller?.role === 'authenticated' && named.has(caller.claims.sub)
}
