import type { QueryClient } from '@tanstack/react-query'
import { lastSeen } from '#session/last-seen.ts'
import { ledgerKeys } from './queries.ts'

/** Shows what was kept of the customer, as old as it is; it is read again as soon as it can be. */
export function showLastReadings(client: QueryClient, userId: string): void {
  for (const { name, data, readAt } of lastSeen(userId)) {
    const queryKey = [...ledgerKeys.all(userId), ...name]
    client.setQueryData(queryKey, data, { updatedAt: readAt })
    // A history counts as current for good otherwise.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}
