import type { QueryClient } from '@tanstack/react-query'
import { lastSeen } from '#people/session/last-seen.ts'
import { dataKeys } from './queries.ts'

/** Shows the customer's stored results with their age. The queries refetch these results as soon as possible. */
export function showLastReadings(client: QueryClient, userId: string): void {
  for (const { name, data, readAt } of lastSeen(userId)) {
    const queryKey = [...dataKeys.all(userId), ...name]
    client.setQueryData(queryKey, data, { updatedAt: readAt })
    // Without this invalidation, a stored history would count as current and would not be refetched.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}
