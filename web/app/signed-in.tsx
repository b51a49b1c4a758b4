import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { balanceQuery, latestQuery, monthlyLimitQuery } from '#ledger/queries.ts'
import { useSession, useUser } from '#session/session.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { appCopy } from './copy.ts'
import { Layout } from './layout.tsx'

/** A prefetched query is not fetched again by the page that it was prefetched for. */
const freshMs = 1000

/** Everything behind the login. The query cache lives as long as the signed-in user. */
export function SignedIn() {
  const { deadLink } = useSession()
  const user = useUser()
  const [client] = useState(() => {
    const created = createQueryClient()
    readAhead(created, user.id, window.location.pathname)
    return created
  })
  useEffect(() => () => client.clear(), [client])
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
 * reading. The page finds the readings under way or done. What fails here fails there, and is said there. A history is
 * not read ahead: its thousand rows would be worked on before the page that is to show them is on screen.
 */
function readAhead(client: QueryClient, userId: string, pathname: string): void {
  if (pathname !== '/dashboard' && pathname !== '/') return
  void client.prefetchQuery(balanceQuery(userId))
  void client.prefetchQuery(latestQuery(userId))
  void client.prefetchQuery(monthlyLimitQuery(userId))
}
