import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { startedOffline } from '#backend/configuration.ts'
import { logQuietly } from '#backend/errors.ts'
import { showLastReadings } from '#ledger/last-readings.ts'
import { followLedger } from '#ledger/live-ledger.ts'
import { budgetQuery, latestQuery } from '#ledger/queries.ts'
import { dashboardSumsQuery } from '#sums/sums.ts'
import { isAdministrator, useSession, useUser } from '#session/session.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { appCopy } from './copy.ts'
import { Layout } from './layout.tsx'
import { pagePathOf } from './pages.ts'

/** A prefetched query is not fetched again by the page that it was prefetched for. */
const freshMs = 1000
/** The pages are fetched ahead by then, and the worker finds them in the browser's cache. */
const offlineDelayMs = 4000

/** Everything behind the login. The query cache lives as long as the signed-in user. */
export function SignedIn() {
  const { deadLink } = useSession()
  const user = useUser()
  const [client] = useState(createQueryClient)
  // Before the effects of the page, which read.
  useLayoutEffect(() => {
    if (startedOffline()) showLastReadings(client, user.id)
    const leave = followLedger(client, user.id)
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

/**
 * Runs once the page has settled. An administrator's session ends when it is unused for half an hour: theirs is not
 * kept.
 */
function usePreparingOffline(client: QueryClient): void {
  const user = useUser()
  const isKept = !isAdministrator(user)
  useEffect(() => {
    let stop = () => {}
    const leaving = new AbortController()
    const prepare = async () => {
      const { prepareOffline } = await import('./offline.ts')
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
    // Reading errors have no message of their own for the user (docs/specification.md §8).
    queryCache: new QueryCache({ onError: (error, query) => logQuietly(error, query.queryKey.join(' ')) }),
    defaultOptions: {
      queries: {
        // The client repeats failed reads itself.
        retry: false,
        staleTime: freshMs,
        // An offline browser gets its error too, instead of a spinner without end.
        networkMode: 'always',
      },
    },
  })
}

/**
 * Starts to read what the dashboard will show while it is still being drawn, which takes a slow phone longer than the
 * reading. The page finds the readings under way or done. A failure here fails there too, and that place reports it. A
 * history is not read ahead: its thousand rows would be worked on before the page that is to show them is on screen.
 */
function readAhead(client: QueryClient, userId: string, pathname: string): void {
  if ((pagePathOf(pathname) ?? '/dashboard') !== '/dashboard') return
  void client.prefetchQuery(budgetQuery(userId))
  void client.prefetchQuery(latestQuery(userId))
  void client.prefetchQuery(dashboardSumsQuery(userId, new Date()))
}
