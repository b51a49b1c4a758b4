import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { backend, type BackendClient } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

type Read = {
  userId: string
  signal: AbortSignal
}

/** The latest transactions, newest first. */
export async function readLatest({ userId, signal }: Read, rowsMax: number): Promise<Transaction[]> {
  const client = await backend()
  return unwrap(await ownTransactions(client, userId).limit(rowsMax).abortSignal(signal))
}

/**
 * Every transaction, newest first, page by page. The first request is the specification's; the server
 * cuts it at `restRowsMax` rows, and what is missing follows by key, so that rows that arrive meanwhile
 * move nothing.
 */
export async function* readHistory({ userId, signal }: Read): AsyncGenerator<Transaction[]> {
  const client = await backend()
  let page = unwrap(await ownTransactions(client, userId).abortSignal(signal))
  yield page
  while (page.length >= restRowsMax) {
    const last = page.at(-1)
    if (last === undefined) return
    page = unwrap(await nextPage(ownTransactions(client, userId), last).abortSignal(signal))
    yield page
  }
}

/** The expenses since an instant, as far as a sum needs them; read to the end, page by page. */
export async function readExpensesSince({ userId, signal }: Read, since: string): Promise<Transaction[]> {
  const client = await backend()
  const query = () => ownTransactions(client, userId).eq('type', 'expense').gte('date', since)
  let page = unwrap(await query().abortSignal(signal))
  const expenses = new Map(page.map((row) => [row.id, row]))
  while (page.length >= restRowsMax) {
    const last = page.at(-1)
    if (last === undefined) break
    page = unwrap(await nextPage(query(), last).abortSignal(signal))
    for (const row of page) expenses.set(row.id, row)
  }
  return [...expenses.values()]
}

function ownTransactions(client: BackendClient, userId: string) {
  return client.from('transactions').select('*').eq('user_id', userId).order('date', { ascending: false })
}

type TransactionsQuery = ReturnType<typeof ownTransactions>

/** The rows after `last` in the order (date, id), both descending. */
function nextPage(query: TransactionsQuery, last: Transaction) {
  return query
    .order('id', { ascending: false })
    .or(`date.lt."${last.date}",and(date.eq."${last.date}",id.lt.${last.id})`)
    .limit(restRowsMax)
}
