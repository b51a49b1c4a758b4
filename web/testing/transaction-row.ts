import { transactionColumns } from '@finanzas/contract/database-types.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'

/** Columns of a transaction that may be null. */
type Empty = { [Column in keyof Transaction as null extends Transaction[Column] ? Column : never]: null }

const empty = Object.fromEntries(transactionColumns.map((column) => [column, null])) as Empty

/** Returns a row of `transactions`. By default, the row is an expense of 1 that the customer entered. */
export function transactionRow(part: Partial<Transaction> = {}): Transaction {
  return {
    ...empty,
    id: crypto.randomUUID(),
    user_id: 'u',
    type: 'expense',
    description: 'Algo',
    amount: 1,
    date: '2026-11-20T15:00:00+00:00',
    category: 'Comida',
    recorded_by: 'customer',
    is_void: false,
    origin: 'own',
    ...part,
  }
}
