/**
 * Rows in answers of the table API (docs/specification.md §3): `numeric` is a JSON number, `timestamptz` is ISO 8601
 * with offset. The types are generated from the catalogue (`npm run types`), whose comments describe each column.
 */
import type { Database } from '@finanzas/contract/database-types.ts'

type Tables = Database['public']['Tables']
type SentTransaction = Tables['transactions']['Insert']

/** A deposit or expense in one customer's account. */
export type Transaction = Tables['transactions']['Row']

export type TransactionType = Transaction['type']

/** The party that recorded a transaction. Only the database sets this value; a client cannot. */
export type Recorder = Transaction['recorded_by']

/** The way in which a transaction was recorded. Only the database sets this value, and it never changes. */
export type Origin = Transaction['origin']

/**
 * Columns that a customer may change in their transactions (`private.editable`). In a transaction that the bank
 * recorded, the customer can change only the category.
 */
export type TransactionWords = Pick<Transaction, keyof Tables['transactions']['Update']>

/** Columns that customers may change in the expenses that they recorded themselves. */
export type TransactionValues = TransactionWords & Pick<Transaction, 'amount' | 'date'>

/** Columns that a client may send for a new transaction. The database has defaults for `id` and `date`. */
export type NewTransaction = SentTransaction & { type: 'expense' } & Required<
    Pick<SentTransaction, 'user_id' | 'category'>
  >

/** One customer's balance, the part of it that the customer's own notes are, and the monthly limit. */
export type Budget = Pick<Tables['budgets']['Row'], 'user_id' | 'balance' | 'noted' | 'monthly_limit'>
