/** Matches changes against the subscriptions of all channels. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Change } from './feed.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Subscription } from './subscriptions.ts'

/** Maximum number of conditions in one turn of the event loop; the slowest pattern takes 0.15 ms. */
const conditionsPerTurnMax = 50

/** The properties of a channel that matching needs. */
export type Subscriber = {
  readonly caller: Caller | null
  readonly subscriptions: readonly Subscription[]
}

/** One change for one channel. `caller` was the channel's caller when the change was matched. */
export type Delivery<C extends Subscriber> = {
  readonly channel: C
  readonly caller: Caller
  readonly change: Change
  readonly ids: readonly number[]
}

/**
 * Returns the changes that pass the filters, grouped by token, in the order of the changes for each channel. Callers
 * whose ids are in a row come first, because they are the most likely to see the row and later callers wait longer for
 * the authorization.
 */
export async function groupByCaller<C extends Subscriber>(
  channels: readonly C[],
  changes: readonly Change[],
): Promise<Delivery<C>[][]> {
  const groups = new Map<unknown, Delivery<C>[]>()
  // Reads the callers once, so that a token that is renewed during the loop does not split a channel's changes into two
  // groups.
  const subscribers = channels.map((channel) => {
    const { caller, subscriptions } = channel
    return { channel, caller, subscriptions }
  })
  let tested = 0
  for (const change of changes) {
    // The loop compares every change with every filter of this server, so it yields to requests between turns.
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
