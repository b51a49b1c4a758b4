/** Rows in answers of the table API (docs/specification.md §3): `numeric` is a JSON number, `timestamptz` is ISO 8601 with offset. */
import type { Role } from './claims.ts'

export type TransactionType = 'deposit' | 'expense'

/** The recorder of a transaction. The database sets it; a client cannot. */
export type Recorder = 'customer' | 'bank'

/** One deposit or expense of one customer. */
export type Transaction = {
  id: string
  user_id: string
  type: TransactionType
  description: string
  /** Positive, at most two decimals; the type gives the sign. */
  amount: number
  date: string
  /** `null` or empty for deposits without a category. */
  category: string | null
  recorded_by: Recorder
  /** True for a corrected mistake of the bank and for a correction; sums leave both out. */
  is_void: boolean
}

/**
 * Columns that the owner of a transaction may change. If the bank recorded the transaction, only its category can change.
 */
export type TransactionWords = Pick<Transaction, 'description' | 'category'>

/** Columns that the customer may change in an expense that they recorded. */
export type TransactionValues = TransactionWords & Pick<Transaction, 'amount' | 'date'>

/** Columns of a new transaction that a client may send. The database has defaults for `id` and `date`. */
export type NewTransaction = {
  id?: string
  user_id: string
  type: 'expense'
  description: string
  /** The page sends a number; the server also accepts decimal text. */
  amount: string | number
  date?: string
  category: string | null
}

/** The balance of one customer. */
export type Budget = {
  user_id: string
  /** May be negative, because an expense records a payment that has already happened. */
  balance: number
  /** The customer's monthly limit, or `null` when it is not set. */
  monthly_limit: number | null
}

/** A copy of the part of `auth.users` that an administrator may see. */
export type UserSafe = {
  id: string
  email: string
  last_sign_in_at: string | null
}

export type Profile = {
  id: string
  full_name: string | null
  role: Role
}

/** The administrator's list: `profiles?select=id,full_name,role,user_safe(email,last_sign_in_at)`. */
export type ProfileWithUser = Profile & {
  user_safe: Pick<UserSafe, 'email' | 'last_sign_in_at'> | null
}
