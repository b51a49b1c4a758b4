// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { formatMoment } from '#format/dates.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { ConnectionLine } from './connection-line.tsx'

let answer: () => Promise<number>
const balance = { queryKey: [...ledgerKeys.summary('u'), 'balance'], queryFn: () => answer() }
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const away = () => Promise.reject(new Error('away'))

afterEach(() => {
  cleanup()
  client.clear()
})

test('figures that could not be read again are from when they were read; then they are those of now again', async () => {
  answer = async () => 12
  open()
  await screen.findByText('12')
  expect(line()).toBe('')

  answer = away
  await act(() => client.refetchQueries(balance))
  const readAt = new Date(client.getQueryState(balance.queryKey)?.dataUpdatedAt ?? 0)
  expect(line()).toBe(`Cifras: ${formatMoment(readAt, new Date())}`)

  answer = async () => 13
  await act(() => client.refetchQueries(balance))
  expect(line()).toBe('')
})

test('figures that were never read are from no time', async () => {
  answer = away
  open()
  await waitFor(() => expect(client.getQueryState(balance.queryKey)?.status).toBe('error'))

  expect(line()).toBe('')
})

function open() {
  render(
    <QueryClientProvider client={client}>
      <Balance />
      <ConnectionLine userId="u" />
    </QueryClientProvider>,
  )
}

function Balance() {
  return <p>{useQuery(balance).data}</p>
}

function line(): string | null {
  return screen.getByRole('status').textContent
}
