import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { serve } from '#testing/page.ts'
import { signedIn } from '#testing/render-part.tsx'
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
  return (
    <QueryClientProvider client={client}>
      <SessionContext value={{ ...signedIn(), isCheckingUser }}>
        <AddressProvider>
          <Layout />
        </AddressProvider>
      </SessionContext>
    </QueryClientProvider>
  )
}
