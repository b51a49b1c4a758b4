// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { clearPage, laura, serve, sessionKey } from '#testing/page.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import type { History } from './history.ts'
import { keepReadings } from './keep-readings.ts'
import { showLastReadings } from './last-readings.ts'
import { balanceQuery, historyQuery, latestQuery, dataKeys } from './queries.ts'

const now = Date.parse('2026-11-20T14:32:00-05:00')
const user = laura.id

beforeEach(async () => {
  await serve(() => undefined)
  window.localStorage.setItem(sessionKey, JSON.stringify({ user: laura }))
  vi.useFakeTimers({ now })
})

afterEach(clearPage)

test('at the next start, the page shows a stored result with its age and repeats the query', () => {
  const client = keeping()
  read(client, latestQuery(user), [row(1)])
  read(client, balanceQuery(user), 320.75)
  vi.advanceTimersByTime(60_000)

  const later = openLater(client)

  expect(later.getQueryData(latestQuery(user).queryKey)).toEqual([row(1)])
  expect(later.getQueryData(balanceQuery(user).queryKey)).toBe(320.75)
  expect(later.getQueryState(latestQuery(user).queryKey)).toMatchObject({
    dataUpdatedAt: now,
    isInvalidated: true,
  })
})

test('only the newest fifty rows of a long history are stored, and the stored history is marked as incomplete', () => {
  const client = keeping()
  const rows = Array.from({ length: 120 }, (_, index) => row(index))
  read(client, historyQuery(user), {
    pages: [rows.slice(0, 30), rows.slice(30)],
    isComplete: true,
    changes: null,
  })
  vi.advanceTimersByTime(1000)

  const history = openLater(client).getQueryData<History>(dataKeys.history(user))

  expect(history).toEqual({ pages: [rows.slice(0, 50)], isComplete: false, changes: null })
})

test('a history without any pages does not replace a stored history', () => {
  const client = keeping()
  read(client, historyQuery(user), { pages: [[row(1)]], isComplete: true, changes: null })
  vi.advanceTimersByTime(1000)
  read(client, historyQuery(user), { pages: [], isComplete: false, changes: new Map() })
  vi.advanceTimersByTime(1000)

  expect(openLater(client).getQueryData(dataKeys.history(user))).toMatchObject({ pages: [[row(1)]] })
})

test('the result of a query that is not marked for offline use is not stored', () => {
  const client = keeping()
  client.setQueryData([...dataKeys.refetchedOnChange(user), 'explanation'], 'a journal')
  client.setQueryData(['users'], ['another person'])
  vi.advanceTimersByTime(1000)

  expect(JSON.stringify({ ...window.localStorage })).not.toMatch(/journal|another person/)
})

test('a result that has not been stored yet is dropped when the page stops storing results', () => {
  const client = new QueryClient()
  const stop = keepReadings(client, user)
  read(client, latestQuery(user), [row(1)])
  stop()
  vi.advanceTimersByTime(60_000)

  expect(Object.keys(window.localStorage)).toEqual([sessionKey])
})

function keeping(): QueryClient {
  const client = new QueryClient()
  onTestFinished(keepReadings(client, user))
  return client
}

/** Stores a result in the query cache, like the page does after a read. */
function read(
  client: QueryClient,
  query: { queryKey: readonly unknown[]; meta?: object },
  data: unknown,
): void {
  client.getQueryCache().build(client, { queryKey: query.queryKey, meta: { ...query.meta } })
  client.setQueryData(query.queryKey, data)
}

function openLater(before: QueryClient): QueryClient {
  vi.advanceTimersByTime(1000)
  before.clear()
  const client = new QueryClient()
  showLastReadings(client, user)
  return client
}

function row(number: number) {
  return transactionRow({ id: `t${number}`, date: `2026-11-20T00:00:${String(59 - (number % 60))}Z` })
}
