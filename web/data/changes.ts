import type { QueryClient } from '@tanstack/react-query'
import type { Budget, NewTransaction, Transaction, TransactionValues } from '@finanzas/contract/wire/rows.ts'
import { missingRowCode, singleRowCode, takenKeyCode } from '#api/error-codes.ts'
import { backend } from '#api/client.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { unwrap } from '#api/unwrap.ts'
import { noteRemoval } from './arrivals.ts'
import { removeRow, upsertRow, type History } from './history.ts'
import { noteWrite } from './own-writes.ts'
import { balanceQuery, latestQuery, dataKeys, notedQuery } from './queries.ts'
import { refreshSummary } from './refresh.ts'

/** Inserts a row from the server into the cached history and the latest transactions, or replaces it there. */
export function applyRow(client: QueryClient, row: Transaction): void {
  client.setQueryData<History>(dataKeys.history(row.user_id), (history) => history && upsertRow(history, row))
  client.setQueryData(latestQuery(row.user_id).queryKey, (latest) =>
    latest?.map((other) => (other.id === row.id ? row : other)),
  )
}

export function applyRemoval(client: QueryClient, userId: string, id: string): void {
  noteRemoval(id)
  client.setQueryData<History>(dataKeys.history(userId), (history) => history && removeRow(history, id))
  client.setQueryData(latestQuery(userId).queryKey, (latest) => latest?.filter((row) => row.id !== id))
}

/** Shows the amounts that an event contains, without waiting until the page reads them again. */
export function applyBudget(client: QueryClient, { user_id, balance, noted, monthly_limit }: Budget): void {
  client.setQueryData(balanceQuery(user_id).queryKey, balance)
  client.setQueryData(notedQuery(user_id).queryKey, noted)
  applyToSums(client, user_id, { held: balance, noted, monthly_limit })
}

type BudgetInSums = { held?: number; noted?: number; monthly_limit?: number | null }

function applyToSums(client: QueryClient, userId: string, budget: BudgetInSums): void {
  client.setQueriesData<BudgetInSums>(
    { queryKey: dataKeys.sums(userId) },
    (sums) => sums && { ...sums, ...budget },
  )
}

/**
 * Deletes a transaction. The row disappears immediately, and reappears in its old position if the server refuses the
 * deletion. Throws the table API's error.
 */
export async function deleteTransaction(client: QueryClient, transaction: Transaction): Promise<void> {
  applyRemoval(client, transaction.user_id, transaction.id)
  try {
    const api = await backend()
    unwrap(await api.from('transactions').delete().eq('id', transaction.id))
    noteWrite(transaction.id, null)
  } catch (error) {
    applyRow(client, transaction)
    throw error
  } finally {
    void refreshSummary(client, transaction.user_id)
  }
}

/**
 * Undoes a deletion: the row reappears with the same id, date and recorder. Throws the table API's error, which
 * contains a message for the user.
 */
export async function restoreTransaction(client: QueryClient, transaction: Transaction): Promise<void> {
  const api = await backend()
  unwrap(await api.rpc('restore_transaction', { id: transaction.id }))
  noteWrite(transaction.id, transaction)
  applyRow(client, transaction)
  await refreshSummary(client, transaction.user_id)
}

/**
 * Records an expense for the customer, shows it, and returns the row. An expense with the same id may exist already,
 * because the answer to an earlier, successful attempt was lost. The function then returns the existing row. Throws the
 * table API's error.
 */
export async function addExpense(client: QueryClient, expense: NewTransaction): Promise<Transaction> {
  const api = await backend()
  const own = api.from('transactions')
  const added = await own.insert(expense).select().single()
  const { user_id: userId, id = '' } = expense
  const isRecorded = added.error?.code === takenKeyCode
  const row = unwrap(isRecorded ? await own.select().eq('user_id', userId).eq('id', id).single() : added)
  noteWrite(row.id, row)
  applyRow(client, row)
  await refreshSummary(client, userId)
  return row
}

/**
 * Changes only the given values of a transaction. Other values may have been changed elsewhere, and a page that still
 * shows the old values must not restore them. Returns the row. The lists show the change at once. If the server refuses
 * the change, the lists show the old values again. Throws the table API's error, with the code `singleRowCode` or
 * `missingRowCode` if the row no longer exists.
 */
export async function editTransaction(
  client: QueryClient,
  transaction: Transaction,
  values: Partial<TransactionValues>,
): Promise<Transaction> {
  const { id, user_id: userId } = transaction
  applyRow(client, { ...transaction, ...values })
  try {
    const row = await sendEdit(transaction, values)
    noteWrite(id, row)
    applyRow(client, row)
    void client.invalidateQueries({ queryKey: dataKeys.edits(userId) })
    return row
  } catch (error) {
    if ([singleRowCode, missingRowCode].includes(errorCode(error))) applyRemoval(client, userId, id)
    else applyRow(client, transaction)
    throw error
  } finally {
    void refreshSummary(client, userId)
  }
}

/** Sends the values in one request. Only a new amount or date requires `amend_expense`, which posts to the journal. */
async function sendEdit(
  { id, user_id: userId }: Transaction,
  values: Partial<TransactionValues>,
): Promise<Transaction> {
  const api = await backend()
  const { amount, date, ...words } = values
  if (amount === undefined && date === undefined) {
    return unwrap(
      await api.from('transactions').update(words).eq('user_id', userId).eq('id', id).select().single(),
    )
  }
  return unwrap(await api.rpc('amend_expense', { id, changes: values }))
}

/** Saves the customer's monthly spending limit, in whole units. Throws the table API's error. */
export async function saveMonthlyLimit(
  client: QueryClient,
  { userId, monthlyLimit }: { userId: string; monthlyLimit: number },
): Promise<void> {
  const api = await backend()
  unwrap(await api.from('budgets').update({ monthly_limit: monthlyLimit }).eq('user_id', userId))
  applyToSums(client, userId, { monthly_limit: monthlyLimit })
}
