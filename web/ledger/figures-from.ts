import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { ledgerKeys } from './queries.ts'

/**
 * When the oldest figures on screen were read that could not be read again since, in milliseconds since 1970; `null`
 * while what is shown is what was read last.
 */
export function useFiguresFrom(userId: string): number | null {
  const client = useQueryClient()
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(onChange),
    [client],
  )
  return useSyncExternalStore(subscribe, () => figuresFrom(client, userId))
}

function figuresFrom(client: QueryClient, userId: string): number | null {
  const stale = client
    .getQueryCache()
    .findAll({ queryKey: ledgerKeys.summary(userId), type: 'active' })
    .filter(({ state }) => state.status === 'error' && state.data !== undefined)
    .map(({ state }) => state.dataUpdatedAt)
  return stale.length === 0 ? null : Math.min(...stale)
}
