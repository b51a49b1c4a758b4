import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logQuietly } from '#backend/errors.ts'
import { useSession, useUser } from '#session/session.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { appCopy } from './copy.ts'
import { Layout } from './layout.tsx'
import { readAhead } from './read-ahead.ts'

/** What was read this moment is not read again by the page that it was read for. */
const freshMs = 1000

/** Everything behind the login. The cache of what was read lives and dies with the signed-in user. */
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
    // Reading errors have no message of their own for the user (spec §8).
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
