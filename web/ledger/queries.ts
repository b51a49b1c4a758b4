import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { dashboardTransactionsMax } from '@finanzas/contract/limits.ts'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { singleRowCode } from '@finanzas/contract/wire-codes.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { monthStart } from '#format/dates.ts'
import { appendPage, emptyHistory, type History } from './history.ts'
import { readExpensesSince, readHistory, readLatest } from './read-transactions.ts'

/** Keys of what is read about one customer: `summary` is the dashboard's, `history` the whole list. */
export const ledgerKeys = {
  summary: (userId: string) => ['ledger', userId, 'summary'] as const,
  history: (userId: string) => ['ledger', userId, 'history'] as const,
}

/** The latest transactions, newest first, at most `dashboardTransactionsMax`. */
export function latestQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'latest'],
    queryFn: ({ signal }) => readLatest({ userId, signal }, dashboardTransactionsMax),
  })
}

/** What the bank holds for the customer, in whole units; `null` while there is no row (PGRST116, spec §8). */
export function balanceQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'balance'],
    queryFn: async ({ signal }) => {
      const client = await backend()
      const answer = await client
        .from('budgets')
        .select('balance')
        .eq('user_id', userId)
        .abortSignal(signal)
        .single()
      if (answer.error?.code === singleRowCode) return null
      return unwrap(answer).balance
    },
  })
}

/** What the customer means to spend in a month, in whole units; `null` while they have not said. */
export function monthlyLimitQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'monthly-limit'],
    queryFn: async ({ signal }) => {
      const client = await backend()
      const answer = await client
        .from('budgets')
        .select('monthly_limit')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle()
      return unwrap(answer)?.monthly_limit ?? null
    },
  })
}

/** The sum of the expenses of the month that `now` lies in, in minor units. */
export function monthSpendingQuery(userId: string, now: Date) {
  const since = monthStart(now)
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'spending', since],
    queryFn: async ({ signal }) => {
      const expenses = await readExpensesSince({ userId, signal }, since)
      return expenses.reduce((sum, { amount }) => sum + (minorFromDecimal(amount) ?? 0), 0) as MinorUnits
    },
  })
}

/**
 * The whole history. Its first page is shown while the others are still being read; a later reading
 * replaces the history only at its end, so that a list on screen never shrinks and grows again.
 */
export function historyQuery(userId: string) {
  const queryKey = ledgerKeys.history(userId)
  return queryOptions({
    queryKey,
    // Comparing 100,000 rows one by one would take longer than reading them.
    structuralSharing: false,
    queryFn: async ({ client, signal }): Promise<History> => {
      const isFirstReading = client.getQueryData(queryKey) === undefined
      let read = emptyHistory
      for await (const page of readHistory({ userId, signal })) {
        read = appendPage(read, page)
        if (isFirstReading) addPage(client, queryKey, page)
      }
      const history = isFirstReading ? (client.getQueryData<History>(queryKey) ?? read) : read
      return { ...history, isComplete: true }
    },
  })
}

function addPage(client: QueryClient, queryKey: readonly string[], page: History['pages'][number]): void {
  client.setQueryData<History>(queryKey, (history) => appendPage(history ?? emptyHistory, page))
}
