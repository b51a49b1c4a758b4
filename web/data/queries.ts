import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { dashboardTransactionsMax } from '@finanzas/contract/limits.ts'
import { singleRowCode } from '#api/error-codes.ts'
import { unwrap } from '#api/unwrap.ts'
import { beginReading, endReading, mergePage, type History, type ReadPage } from './history.ts'
import { readingClient } from './wait-for-live-channel.ts'
import { readHistory, readLatest } from './read-transactions.ts'

/**
 * Query keys for one customer's data. Every change to a transaction makes `refetchedOnChange` stale. `edits` and
 * `imports` are lists that change only when transactions are edited or imported. `history` is the list of all
 * transactions. `categorization` covers categories and rules. `sums` covers the sums of all periods, each with the
 * monthly limit.
 */
export const dataKeys = {
  all: (userId: string) => ['data', userId] as const,
  refetchedOnChange: (userId: string) => ['data', userId, 'refetched-on-change'] as const,
  sums: (userId: string) => ['data', userId, 'refetched-on-change', 'sums'] as const,
  edits: (userId: string) => ['data', userId, 'edits'] as const,
  imports: (userId: string) => ['data', userId, 'imports'] as const,
  corrections: (userId: string) => ['data', userId, 'corrections'] as const,
  history: (userId: string) => ['data', userId, 'history'] as const,
  categorization: (userId: string) => ['data', userId, 'categorization'] as const,
}

/** Key of the counts of `public.count_news`, which are shown beside *Perfil* and *Admin*. */
export const newsKey = ['news'] as const

/** The counts of `public.count_news`. `waiting` is `null` unless the user is an administrator. */
export type NewsCounts = { unread: number; waiting: number | null }

const failedAgainMs = 15_000

/**
 * Repeats a failed query as long as the page shows the query's data, because no message tells the user about the
 * failure.
 */
export const untilRead = {
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? failedAgainMs : false,
}

/**
 * Marks a query whose last result is stored, so that the page can start without a connection. The result must be valid
 * JSON.
 */
export const keptOffline = { meta: { isKeptOffline: true } } as const

export function latestQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'latest'],
    queryFn: ({ signal }) => readLatest({ userId, signal }, dashboardTransactionsMax),
  })
}

/**
 * Reads the customer's balance in whole units, using the request that the specification defines. The result is `null`
 * if the row does not exist.
 */
export function balanceQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'balance'],
    queryFn: async ({ signal }) => {
      const client = await readingClient()
      const own = client.from('budgets').select('balance').eq('user_id', userId)
      return rowOrNull(await own.abortSignal(signal).single())?.balance ?? null
    },
  })
}

/** Reads the sum of the customer's own notes, which lowers the balance, in whole units. Never positive. */
export function notedQuery(userId: string) {
  return queryOptions({
    queryKey: [...dataKeys.refetchedOnChange(userId), 'noted'],
    queryFn: async ({ signal }) => {
      const client = await readingClient()
      const own = client.from('budgets').select('noted').eq('user_id', userId)
      return rowOrNull(await own.abortSignal(signal).single())?.noted ?? null
    },
  })
}

/** Returns the row in an answer, or `null` if the answer has no row (PGRST116, docs/specification.md §8). */
function rowOrNull<Row>(answer: PostgrestSingleResponse<Row>): Row | null {
  return answer.error?.code === singleRowCode ? null : unwrap(answer)
}

/**
 * Reads the whole history. Live updates keep the history current, and the page reads it again after every join of the
 * channel.
 */
export function historyQuery(userId: string) {
  const queryKey = dataKeys.history(userId)
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey,
    // Comparing 100,000 old rows with the new rows would take longer than fetching the rows.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ client, signal }) => readInto(client, queryKey, readHistory({ userId, signal }), signal),
  })
}

/**
 * Reads a history into its query's cached result, so that each page is shown as soon as it arrives. A later read keeps
 * the known rows until they are replaced, so that a list on screen does not shrink and grow again. Changes that are
 * announced during the read take precedence over the pages.
 */
export async function readInto(
  client: QueryClient,
  queryKey: readonly string[],
  pages: AsyncIterable<ReadPage>,
  signal: AbortSignal,
): Promise<History> {
  const update = (change: (history: History | undefined) => History, readAt = Date.now()) =>
    client.setQueryData<History>(queryKey, change, { updatedAt: readAt }) ?? beginReading(undefined)
  // A query that is still running keeps the time at which its previous result was complete.
  const readAt = () => client.getQueryState(queryKey)?.dataUpdatedAt || Date.now()
  let history = update(beginReading, readAt())
  try {
    for await (const page of pages) history = update((current) => mergePage(current ?? history, page))
  } finally {
    // After an abort, a newer call is reading this history and will finish the read.
    if (!signal.aborted) history = update((current) => endReading(current ?? history), readAt())
  }
  return history
}
