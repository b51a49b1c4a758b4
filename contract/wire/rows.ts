/**
 * Rows in answers of the table API (docs/specification.md §3): `numeric` is a JSON number, `timestamptz` is ISO 8601
 * with offset.
 */
export type TransactionType = 'deposit' | 'expense'

/** The party that recorded a transaction. Only the database sets this value; a client cannot. */
export type Recorder = 'customer' | 'bank'

/** The way in which a transaction was recorded. Only the database sets this value, and it never changes. */
export type Origin = 'own' | 'import' | 'recurring' | 'clerk' | 'batch' | 'transfer' | 'return' | 'correction'

/** A deposit or expense in one customer's account. */
export type Transaction = {
  id: string
  user_id: string
  type: TransactionType
  description: string
  /** Positive, with at most two decimals. The sign follows from `type`. */
  amount: number
  date: string
  /** `null` or empty for a deposit without a category. */
  category: string | null
  recorded_by: Recorder
  /** True for a bank transaction that was corrected and for the correction itself. Sums leave out both. */
  is_void: boolean
  origin: Origin
  /** The import, recurring expense, order, batch or transfer; `null` for the customer's own expense. */
  origin_id: string | null
}

/**
 * Columns that a customer may change in any of their transactions. In a transaction that the bank recorded, the
 * customer can change only the category.
 */
export type TransactionWords = Pick<Transaction, 'description' | 'category'>

/** Columns that customers may change in the expenses that they recorded themselves. */
export type TransactionValues = TransactionWords & Pick<Transaction, 'amount' | 'date'>

/** Columns that a client may send for a new transaction. The database has defaults for `id` and `date`. */
export type NewTransaction = {
  id?: string
  user_id: string
  type: 'expense'
  description: string
  /** The page sends a number, but the server also accepts decimal text. */
  amount: string | number
  date?: string
  category: string | null
}

/** One customer's balance and monthly limit. */
export type Budget = {
  user_id: string
  /** Can be negative, because an expense records a payment that has already been made. */
  balance: number
  /** The customer's monthly spending limit, or `null` if none has been set. */
  monthly_limit: number | null
}
