import type { QueryClient } from '@tanstack/react-query'
import { lastSeen } from '#session/last-seen.ts'
import { ledgerKeys } from './queries.ts'

/** Shows the customer's kept results with their age. The queries read them again as soon as possible. */
export function showLastReadings(client: QueryClient, userId: string): void {
  for (const { name, data, readAt } of lastSeen(userId)) {
    const queryKey = [...ledgerKeys.all(userId), ...name]
    client.setQueryData(queryKey, data, { updatedAt: readAt })
    // Otherwise a kept history would count as current, and would not be read again.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}
