import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import type { BackendClient } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { compareNewestFirst, type ReadPage } from './history.ts'
import { readingClient } from './wait-for-live-channel.ts'

type Read = {
  userId: string
  signal: AbortSignal
}

export async function readLatest({ userId, signal }: Read, rowsMax: number): Promise<Transaction[]> {
  const client = await readingClient()
  return unwrap(await ownTransactions(client, userId).limit(rowsMax).abortSignal(signal))
}

/**
 * Reads every transaction, newest first, page by page. The first request is the one that the specification defines, and
 * the server limits its result to `restRowsMax` rows. Later requests continue after the last row's date and id, so that
 * new rows do not shift the pages.
 */
export async function* readHistory({ userId, signal }: Read): AsyncGenerator<ReadPage> {
  const client = await readingClient()
  let after: Transaction | null = null
  let rows = unwrap(await ownTransactions(client, userId).abortSignal(signal))
  let isLast = rows.length < restRowsMax
  if (!isLast) rows = withoutLastInstant(rows)
  for (;;) {
    yield { rows, after, isLast }
    after = rows.at(-1) ?? null
    if (isLast || after === null) return
    rows = unwrap(await nextPage(ownTransactions(client, userId), after).abortSignal(signal))
    isLast = rows.length < restRowsMax
  }
}

/**
 * Drops from the first page all rows that have the same time as its last row. The first request does not define an
 * order for rows with the same time. A hosted Supabase project may therefore return an arbitrary selection of these
 * rows. The next request defines an order and reads these rows again.
 */
function withoutLastInstant(rows: readonly Transaction[]): Transaction[] {
  const { date } = rows.at(-1) ?? {}
  const earlier = rows.filter((row) => row.date !== date)
  return (earlier.length === 0 ? rows : earlier).toSorted(compareNewestFirst)
}

function ownTransactions(client: BackendClient, userId: string) {
  return client.from('transactions').select('*').eq('user_id', userId).order('date', { ascending: false })
}

type TransactionsQuery = ReturnType<typeof ownTransactions>

/** Returns the query for the page of rows that follow `last` in descending order of date and id. */
function nextPage(query: TransactionsQuery, last: Transaction) {
  return query
    .order('id', { ascending: false })
    .or(`date.lt."${last.date}",and(date.eq."${last.date}",id.lt.${last.id})`)
    .limit(restRowsMax)
}
