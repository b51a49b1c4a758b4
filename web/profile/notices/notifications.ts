/**
 * Reads the customer's notifications, and reads and saves which kinds of notification the customer wants. Every call
 * throws the table API's error.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { type MinorUnits, numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys, newsKey, untilRead } from '#data/queries.ts'
import { readMinor } from '#amounts/amounts.ts'

type Tables = Database['public']['Tables']

export type Kind = Tables['notification_preferences']['Row']['kind']
export type OwnNotification = Omit<Tables['notifications']['Row'], 'user_id'>

/** The kinds of notification that the customer chose. An amount is `null` if its kind of notification is not chosen. */
export type Preferences = {
  kinds: readonly Kind[]
  aboveMinor: MinorUnits | null
  belowMinor: MinorUnits | null
}

export function preferencesQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.all(userId), 'notification preferences'],
    queryFn: async ({ signal }): Promise<Preferences> => {
      const client = await backend()
      const own = client.from('notification_preferences').select('kind,amount').eq('user_id', userId)
      const rows = unwrap(await own.abortSignal(signal))
      const sumOf = (kind: Kind) => {
        const amount = rows.find((row) => row.kind === kind)?.amount ?? null
        return amount === null ? null : readMinor(amount)
      }
      return {
        kinds: rows.map(({ kind }) => kind),
        aboveMinor: sumOf('large_expense'),
        belowMinor: sumOf('low_balance'),
      }
    },
  })
}

/**
 * Saves these kinds of notification, and switches off all other kinds. Throws an error with the code
 * `reauthentication_needed` if the customer switches off a notification and must prove their identity first.
 */
export async function savePreferences(
  client: QueryClient,
  userId: string,
  { kinds, aboveMinor, belowMinor }: Preferences,
): Promise<void> {
  const api = await backend()
  unwrap(
    await api.rpc('set_notifications', {
      kinds: [...kinds],
      ...(aboveMinor !== null && { expense_above: numberFromMinor(aboveMinor) }),
      ...(belowMinor !== null && { balance_below: numberFromMinor(belowMinor) }),
    }),
  )
  await client.invalidateQueries({ queryKey: preferencesQuery(userId).queryKey })
}

/** Maximum number of notifications that the database keeps for each customer. */
const notificationsMax = 100

/** Reads the notifications, newest first. */
export function notificationsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.all(userId), 'notifications'],
    queryFn: async ({ signal }): Promise<OwnNotification[]> => {
      const client = await backend()
      return unwrap(
        await client
          .from('notifications')
          .select('id,kind,detail,events,happened_at,read_at')
          .eq('user_id', userId)
          .order('happened_at', { ascending: false })
          .limit(notificationsMax)
          .abortSignal(signal),
      )
    },
  })
}

/** Marks all notifications as read. Rows on screen still look unread until the page reads the list again. */
export async function markRead(cache: QueryClient): Promise<void> {
  try {
    const client = await backend()
    unwrap(await client.rpc('read_notifications'))
    await cache.invalidateQueries({ queryKey: newsKey })
  } catch (error) {
    logQuietly(error, 'read notifications')
  }
}

/** Calls `onAdded` for each new notification until the returned function is called. */
export function followNotifications(userId: string, onAdded: () => void): () => void {
  const leaving = new AbortController()
  const join = async () => {
    const client = await backend()
    await client.realtime.setAuth()
    if (leaving.signal.aborted) return
    const added = {
      event: 'INSERT',
      schema: 'public',
      table: 'notifications',
      filter: `user_id=eq.${userId}`,
    } as const
    const channel = client
      .channel(`notifications:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
      .on('postgres_changes', added, onAdded)
      .subscribe()
    leaving.signal.addEventListener('abort', () => void client.removeChannel(channel))
  }
  join().catch((error: unknown) => logQuietly(error, 'live notifications'))
  return () => leaving.abort()
}
