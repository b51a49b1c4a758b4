import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { dashboardTransactionsMax } from '@finanzas/contract/limits.ts'
import { singleRowCode } from '@finanzas/contract/wire-codes.ts'
import { unwrap } from '#backend/unwrap.ts'
import { beginReading, endReading, mergePage, type History, type ReadPage } from './history.ts'
import { readingClient } from './wait-for-live-channel.ts'
import { readHistory, readLatest } from './read-transactions.ts'

/**
 * Keys of queries about one customer. Any transaction makes `refetchedOnChange` stale. `edits` and `imports` are lists
 * that only an edit or an import changes. `history` is the whole list. `categorization` has categories and rules.
 */
export const ledgerKeys = {
  all: (userId: string) => ['ledger', userId] as const,
  refetchedOnChange: (userId: string) => ['ledger', userId, 'refetched-on-change'] as const,
  edits: (userId: string) => ['ledger', userId, 'edits'] as const,
  imports: (userId: string) => ['ledger', userId, 'imports'] as const,
  corrections: (userId: string) => ['ledger', userId, 'corrections'] as const,
  history: (userId: string) => ['ledger', userId, 'history'] as const,
  categorization: (userId: string) => ['ledger', userId, 'categorization'] as const,
}

const failedAgainMs = 15_000

/** Repeats a failed query while it is on screen, because no message reports the failure. */
export const untilRead = {
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? failedAgainMs : false,
}

/** Marks a query whose last result is kept for a start without a connection. The result must be valid JSON. */
export const keptOffline = { meta: { isKeptOffline: true } } as const

export function latestQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'latest'],
    queryFn: ({ signal }) => readLatest({ userId, signal }, dashboardTransactionsMax),
  })
}

/** Reads the customer's balance in whole units with the specification's own request, or `null` without a row. */
export function balanceQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'balance'],
    queryFn: async ({ signal }) => {
      const client = await readingClient()
      const own = client.from('budgets').select('balance').eq('user_id', userId)
      return rowOrNull(await own.abortSignal(signal).single())?.balance ?? null
    },
  })
}

/** Reads the customer's monthly limit in whole units, or `null` without a limit. */
export function monthlyLimitQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey: [...ledgerKeys.refetchedOnChange(userId), 'monthly-limit'],
    queryFn: async ({ signal }) => {
      const client = await readingClient()
      const own = client.from('budgets').select('monthly_limit').eq('user_id', userId)
      return rowOrNull(await own.abortSignal(signal).single())?.monthly_limit ?? null
    },
  })
}

/** Returns the row of an answer, or `null` without a row (PGRST116, docs/specification.md §8). */
function rowOrNull<Row>(answer: PostgrestSingleResponse<Row>): Row | null {
  return answer.error?.code === singleRowCode ? null : unwrap(answer)
}

/** Reads the whole history. Live updates keep it current, and it is read again after each join of the channel. */
export function historyQuery(userId: string) {
  const queryKey = ledgerKeys.history(userId)
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    queryKey,
    // Comparing 100,000 rows one by one would take longer than reading them.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ client, signal }) => readInto(client, queryKey, readHistory({ userId, signal }), signal),
  })
}

/**
 * Reads a history into its query. Each page is shown when it arrives. A later reading keeps unchanged rows, so that a
 * list on screen does not shrink and grow again. Changes that are announced meanwhile take precedence over pages.
 */
export async function readInto(
  client: QueryClient,
  queryKey: readonly string[],
  pages: AsyncIterable<ReadPage>,
  signal: AbortSignal,
): Promise<History> {
  const update = (change: (history: History | undefined) => History, readAt = Date.now()) =>
    client.setQueryData<History>(queryKey, change, { updatedAt: readAt }) ?? beginReading(undefined)
  // While a query is pending, it keeps the time of its last result.
  const readAt = () => client.getQueryState(queryKey)?.dataUpdatedAt || Date.now()
  let history = update(beginReading, readAt())
  try {
    for await (const page of pages) history = update((current) => mergePage(current ?? history, page))
  } finally {
    // After an abort, a newer call is reading this history, and ends the reading.
    if (!signal.aborted) history = update((current) => endReading(current ?? history), readAt())
  }
  return history
}
