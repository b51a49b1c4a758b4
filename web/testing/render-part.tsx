import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { SessionContext } from '#people/session/session.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { laura } from './page.ts'

/**
 * Renders a part of the page that Laura sees. The part gets a new query client, unless the test passes a query client.
 */
export function renderPart(part: ReactNode, client = createQueryClient()): RenderResult {
  return render(
    <SessionContext value={signedIn()}>
      <QueryClientProvider client={client}>{part}</QueryClientProvider>
    </SessionContext>,
  )
}

/** Renders a part of the page, and the toasts that it shows. */
export function renderWithToasts(part: ReactNode, client?: QueryClient): RenderResult {
  return renderPart(
    <>
      {part}
      <Toaster />
    </>,
    client,
  )
}

/** Creates a query client that does not retry failed queries, so that a test sees a failure immediately. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } })
}

/** Returns the session of a signed-in user. By default, the user is Laura; `change` replaces values of this user. */
export function signedIn(change: Partial<typeof laura> = {}) {
  return {
    session: { status: 'signed-in', user: { ...laura, created_at: '2024-11-23T12:00:00Z', ...change } },
    deadLink: null,
    pendingLink: null,
    settleLink: () => undefined,
    isCheckingUser: false,
    finishRecovery: () => undefined,
  } as const
}
