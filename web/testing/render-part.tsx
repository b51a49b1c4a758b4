import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'

/** Draws a part of the signed-in page, with a query client of its own unless a test has one. */
export function renderPart(part: ReactNode, client = createQueryClient()): RenderResult {
  return render(<QueryClientProvider client={client}>{part}</QueryClientProvider>)
}

/** A failed reading is not sent again: a test sees it at once. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } })
}
