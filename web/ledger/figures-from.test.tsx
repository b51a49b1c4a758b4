// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useFiguresFrom } from './figures-from.ts'
import { ledgerKeys } from './queries.ts'

let answer: () => Promise<number>
const balance = { queryKey: [...ledgerKeys.summary('u'), 'balance'], queryFn: () => answer() }
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })

afterEach(() => {
  cleanup()
  client.clear()
})

test('figures that could not be read again are from when they were read; then they are those of now again', async () => {
  answer = async () => 12
  render(<Page />)
  await waitFor(() => expect(shown()).toBe('12 now'))
  const readAt = client.getQueryState(balance.queryKey)?.dataUpdatedAt

  answer = () => Promise.reject(new Error('away'))
  await act(() => client.refetchQueries(balance))
  expect(shown()).toBe(`12 ${readAt}`)

  answer = async () => 13
  await act(() => client.refetchQueries(balance))
  expect(shown()).toBe('13 now')
})

test('figures that were never read are from no time', async () => {
  answer = () => Promise.reject(new Error('away'))
  render(<Page />)
  await waitFor(() => expect(client.getQueryState(balance.queryKey)?.status).toBe('error'))

  expect(shown()).toBe('– now')
})

function Page() {
  return (
    <QueryClientProvider client={client}>
      <Figures />
    </QueryClientProvider>
  )
}

function Figures() {
  const { data } = useQuery(balance)
  return <p>{`${data ?? '–'} ${useFiguresFrom('u') ?? 'now'}`}</p>
}

function shown(): string {
  return screen.getByRole('paragraph').textContent ?? ''
}
