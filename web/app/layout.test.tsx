import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { SessionContext } from '#session/session.ts'
import { laura, serve } from '#testing/page.ts'
import { AddressProvider } from '#ui/address/address.tsx'
import { Layout } from './layout.tsx'

beforeEach(() => serve(() => Response.json([])))
test('a customer at /admin is redirected to the dashboard once the server has answered', async () => {
  window.history.replaceState(null, '', '/admin')
  const { rerender } = render(page({ isCheckingUser: true }))
  expect(window.location.pathname).toBe('/admin')

  rerender(page({ isCheckingUser: false }))

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'))
})

const client = new QueryClient()

function page({ isCheckingUser }: { isCheckingUser: boolean }) {
  const session = {
    session: { status: 'signed-in', user: { ...laura, created_at: '2024-11-23T12:00:00Z' } },
    deadLink: null,
    pendingLink: null,
    settleLink: () => undefined,
    isCheckingUser,
    finishRecovery: () => undefined,
  } as const
  return (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <AddressProvider>
          <Layout />
        </AddressProvider>
      </SessionContext>
    </QueryClientProvider>
  )
}
