import type { Query, QueryClient } from '@tanstack/react-query'
import { logQuietly } from '#api/errors.ts'
import { keepLastSeen, type LastReading } from '#people/session/last-seen.ts'
import { firstRows, type History } from './history.ts'
import { dataKeys } from './queries.ts'

/**
 * Delay before results are stored. Several results often arrive together, and the delay lets the page store all of them
 * at once.
 */
const delayMs = 1000
/** Maximum number of history rows that are stored. These rows fill a few screens. */
const historyRowsMax = 50

/**
 * Stores the customer's query results, so that the page can start without a connection. Returns a function that stops
 * storing results.
 */
export function keepReadings(client: QueryClient, userId: string): () => void {
  let timer: number | undefined
  const keep = () => {
    timer = undefined
    try {
      keepLastSeen(userId, readingsOf(client, userId))
    } catch (error) {
      // Storing fails if the browser's storage is full or disabled.
      logQuietly(error, 'keeping what was seen')
    }
  }
  const keepSoon = () => {
    timer ??= window.setTimeout(keep, delayMs)
  }
  keepSoon()
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isKept(event.query)) keepSoon()
  })
  return () => {
    unsubscribe()
    window.clearTimeout(timer)
  }
}

function readingsOf(client: QueryClient, userId: string): LastReading[] {
  const queryKey = dataKeys.all(userId)
  return client
    .getQueryCache()
    .findAll({ queryKey, predicate: isKept })
    .map((query) => ({
      name: query.queryKey.slice(queryKey.length) as string[],
      data: isHistory(query) ? firstRows(query.state.data, historyRowsMax) : query.state.data,
      readAt: query.state.dataUpdatedAt,
    }))
}

function isKept(query: Query): boolean {
  if (query.meta?.['isKeptOffline'] !== true || query.state.data === undefined) return false
  // A history without pages has not received its first page yet.
  return !isHistory(query) || query.state.data.isComplete || query.state.data.pages.length > 0
}

function isHistory(query: Query): query is Query & { state: { data: History } } {
  return query.queryKey.includes('history')
}
