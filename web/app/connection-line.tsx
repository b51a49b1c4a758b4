import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { formatMoment } from '#ui/format/dates.ts'
import { dataKeys } from '#data/queries.ts'
import { appCopy } from './copy.ts'

/**
 * Shows that the device is offline, and when the outdated figures on screen were read. The line overlays the page: it
 * does not move the content, and it stays in view while the page scrolls. The line does not say which request failed
 * (docs/specification.md §8).
 */
export function ConnectionLine({ userId }: { userId: string }) {
  const isOffline = useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
  const figuresFrom = useFiguresFrom(userId)
  const text = textOf({ isOffline, figuresFrom })
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--bottom-bar-height) z-20 lg:bottom-0 print:hidden"
    >
      {text !== null && (
        <p className="border-t border-line bg-warning-soft px-5 py-1.5 text-center text-sm text-warning">
          {text}
        </p>
      )}
    </div>
  )
}

function textOf({
  isOffline,
  figuresFrom,
}: {
  isOffline: boolean
  figuresFrom: number | null
}): string | null {
  if (figuresFrom === null) return isOffline ? appCopy.offline : null
  const moment = formatMoment(new Date(figuresFrom), new Date())
  return isOffline ? appCopy.offlineFrom(moment) : appCopy.figuresFrom(moment)
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
 * Returns the time at which the oldest stale figure on screen was read, in milliseconds since 1970, or `null` if no
 * figure is stale. A figure is stale if its last read failed, or if it was stored before this page load and has not
 * been read since.
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
  const [, , summary] = dataKeys.refetchedOnChange(userId)
  const stale = client
    .getQueryCache()
    .findAll({ queryKey: dataKeys.all(userId), type: 'active' })
    .filter(({ state, queryKey }) => {
      if (state.data === undefined) return false
      const hasFailed = state.status === 'error' && queryKey.includes(summary)
      return hasFailed || state.dataUpdatedAt < performance.timeOrigin
    })
    .map(({ state }) => state.dataUpdatedAt)
  return stale.length === 0 ? null : Math.min(...stale)
}
