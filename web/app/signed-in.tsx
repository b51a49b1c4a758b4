import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { startedOffline } from '#api/configuration.ts'
import { logQuietly } from '#api/errors.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { showLastReadings } from '#data/last-readings.ts'
import { followData } from '#data/live-data.ts'
import { balanceQuery, latestQuery } from '#data/queries.ts'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { isAdministrator, useSession, useUser } from '#people/session/session.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { appCopy } from './copy.ts'
import { Layout } from './layout.tsx'
import { pagePathOf } from './pages.ts'

/** Time for which a query result counts as fresh, so that a page does not repeat a query that was prefetched for it. */
const freshMs = 1000
/**
 * Delay before the page prepares for offline use. After this delay, the service worker finds the prefetched pages in
 * the browser's cache.
 */
const offlineDelayMs = 4000

/** Everything behind the login. The query cache is discarded when the user signs out. */
export function SignedIn() {
  const { deadLink } = useSession()
  const user = useUser()
  const [client] = useState(createQueryClient)
  // Fills the query cache before the page's effects run, because these effects read from the cache.
  useLayoutEffect(() => {
    if (startedOffline()) showLastReadings(client, user.id)
    const leave = followData(client, user.id)
    readAhead(client, user.id, window.location.pathname)
    return () => {
      leave()
      client.clear()
    }
  }, [client, user.id])
  usePreparingOffline(client)
  useEffect(() => {
    if (deadLink === null) return
    showToast({
      title: appCopy.failedLinkTitle,
      description: appCopy.failedLinkText,
      variant: 'destructive',
      durationMs: Number.POSITIVE_INFINITY,
    })
  }, [deadLink])
  return (
    <QueryClientProvider client={client}>
      <Layout />
    </QueryClientProvider>
  )
}

const offlinePreparation = lazyCode(() => import('./offline.ts'), 'prepareOffline')

/**
 * Prepares the page for offline use after the page has settled. Does not store an administrator's data, because
 * administrators' sessions end after half an hour without use.
 */
function usePreparingOffline(client: QueryClient): void {
  const user = useUser()
  const isKept = !isAdministrator(user)
  useEffect(() => {
    let stop = () => {}
    const leaving = new AbortController()
    const prepare = async () => {
      const prepareOffline = await offlinePreparation.load()
      if (!leaving.signal.aborted) stop = prepareOffline(client, user.id, isKept)
    }
    const timer = window.setTimeout(() => {
      prepare().catch((error: unknown) => logQuietly(error, 'offline'))
    }, offlineDelayMs)
    return () => {
      leaving.abort()
      window.clearTimeout(timer)
      stop()
    }
  }, [client, user.id, isKept])
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    // A failed read is logged but not shown to the user (docs/specification.md §8).
    queryCache: new QueryCache({ onError: (error, query) => logQuietly(error, query.queryKey.join(' ')) }),
    defaultOptions: {
      queries: {
        // supabase-js already retries failed reads.
        retry: false,
        staleTime: freshMs,
        // Offline queries fail with an error instead of showing an endless spinner.
        networkMode: 'always',
      },
    },
  })
}

/**
 * Starts the dashboard's queries before the dashboard has rendered, because rendering takes longer than the queries on
 * a slow phone. The dashboard then finds each query pending or done. The dashboard repeats a failed query, and reports
 * the second failure. The history is not prefetched, because processing its thousand rows would delay the first frame.
 */
function readAhead(client: QueryClient, userId: string, pathname: string): void {
  if ((pagePathOf(pathname) ?? '/dashboard') !== '/dashboard') return
  void client.prefetchQuery(balanceQuery(userId))
  void client.prefetchQuery(latestQuery(userId))
  void client.prefetchQuery(dashboardSumsQuery(userId, new Date()))
}
