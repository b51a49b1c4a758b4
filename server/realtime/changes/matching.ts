/** Which channels asked for which changes: the subscriptions' filters put to all of them, a little at a time. */
import type { Change } from '#database/changes.ts'
import type { Caller } from '#tokens/caller.ts'
import type { Subscription } from './subscriptions.ts'
import { Turns } from './turns.ts'

/** What of a channel counts here. */
export type Listening = {
  readonly caller: Caller | null
  readonly subscriptions: readonly Subscription[]
}

/** One change on its way to one channel, if the caller it had then may see it. */
export type Delivery<C extends Listening> = {
  readonly channel: C
  readonly caller: Caller
  readonly change: Change
  readonly ids: readonly number[]
}

/** What the filters let through, by token, and for each channel in the order of the changes. */
export async function groupByCaller<C extends Listening>(
  channels: readonly C[],
  changes: readonly Change[],
): Promise<Delivery<C>[][]> {
  const groups = new Map<unknown, Delivery<C>[]>()
  const turns = new Turns()
  for (const channel of channels) {
    const { caller, subscriptions } = channel
    if (caller === null || subscriptions.length === 0) continue
    const key = caller.role === 'authenticated' ? caller.claims : caller.role
    for (const change of changes) {
      if (turns.isOver) await turns.pass()
      const ids = subscriptions.filter((each) => each.matches(change)).map(({ id }) => id)
      if (ids.length === 0) continue
      const group = groups.get(key) ?? []
      groups.set(key, group)
      group.push({ channel, caller, change, ids })
    }
  }
  return [...groups.values()]
}
