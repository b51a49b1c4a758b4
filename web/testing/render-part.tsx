import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'

/** Renders a part of the signed-in page with a new query client, unless the test passes its own client. */
export function renderPart(part: ReactNode, client = createQueryClient()): RenderResult {
  return render(<QueryClientProvider client={client}>{part}</QueryClientProvider>)
}

/** Creates a query client that does not retry failed queries, so that a test sees a failure immediately. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } })
}
