import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { formatMoment } from '#format/dates.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { appCopy } from './copy.ts'

/**
 * Says that the device is offline, and from when figures are that could not be read again; over the page, so that
 * nothing moves under a finger, and in view however far one has scrolled. What failed is not said (docs/specification.md §8).
 */
export function ConnectionLine({ userId }: { userId: string }) {
  const isOffline = useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
  const figuresFrom = useFiguresFrom(userId)
  const parts = [
    ...(isOffline ? [appCopy.offline] : []),
    ...(figuresFrom === null ? [] : [appCopy.figuresFrom(formatMoment(new Date(figuresFrom), new Date()))]),
  ]
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--bottom-bar-height) z-20 lg:bottom-0 print:hidden"
    >
      {parts.length > 0 && (
        <p className="border-t border-line bg-warning-soft px-5 py-1.5 text-center text-sm text-warning">
          {parts.join(' · ')}
        </p>
      )}
    </div>
  )
}

function subscribeToNetwork(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

/**
 * When the oldest figures on screen were read that could not be read again since, in milliseconds since 1970; `null`
 * while what is shown is what was read last.
 */
function useFiguresFrom(userId: string): number | null {
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
