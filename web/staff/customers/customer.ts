import { queryOptions } from '@tanstack/react-query'
import type { Role } from '@finanzas/contract/people/claims.ts'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { explanationOf, type BalanceExplanation } from '#money/balance/explanation.ts'
import type { History, ReadPage } from '#data/history.ts'
import { readInto } from '#data/queries.ts'
import type { JournalEntry } from '#data/read-journal.ts'
import type { LargestAmounts } from '#staff/forms/unusual-amount.ts'
import type { Correction } from '#money/details/corrections.tsx'

/** A pending change of the e-mail address. Times are ISO 8601. */
type WaitingEmailChange = {
  email: string
  begun_at: string
  /** `null` if the customer requested the change. */
  counts_at: string | null
  is_confirmed: boolean
}

type CustomerSession = { begun_at: string; used_at: string; user_agent: string | null }

/** The row that `public.open_customer` returns. Amounts are in units of the currency, not in minor units. */
type CustomerRow = {
  id: string
  full_name: string | null
  email: string
  role: Role
  account_number: string
  /** The document and its kind are both `null` until staff enter them. */
  document_kind: string | null
  document_number: string | null
  /** The telephone number in the format E.164, or `null` until staff enter the number. */
  phone: string | null
  created_at: string
  confirmed_at: string | null
  banned_until: string | null
  /** Reason for the block, or `null` if the customer is not blocked or the reason is missing. */
  block_reason: string | null
  last_sign_in_at: string | null
  email_change: WaitingEmailChange | null
  has_second_factor: boolean
  sessions: readonly CustomerSession[]
  balance: number
  /** The balance without the customer's own notes, and the sum of these notes, which is zero or negative. */
  booked: number
  noted: number
  monthly_limit: number | null
  month_spent: number
  largest: LargestAmounts
  corrections: readonly Correction[]
}

export type Customer = CustomerRow & { name: string }

/** Options for the queries of a customer's page. The query results are dropped when staff leave the page. */
const ofThePage = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } as const

/**
 * Time after which the page calls `open_customer` again, because the database allows reads of the customer's data only
 * for an hour after this call.
 */
const reopenAfterMs = 50 * 60 * 1000

export const customerKeys = {
  all: (id: string) => ['customer', id],
  opened: (id: string) => ['customer', id, 'opened'],
  history: (id: string) => ['customer', id, 'history'],
}

/**
 * Calls `open_customer`: the database writes an audit entry, and lets this session read the customer's data for an
 * hour.
 */
export function customerQuery(id: string) {
  return queryOptions({
    ...ofThePage,
    queryKey: customerKeys.opened(id),
    queryFn: async ({ signal }): Promise<Customer> => {
      const client = await backend()
      const answer = unwrap(await client.rpc('open_customer', { user_id: id }).abortSignal(signal))
      const row = answer as unknown as CustomerRow
      return { ...row, name: row.full_name?.trim() || row.email }
    },
  })
}

/**
 * Reads a customer's largest amounts, with which the page compares a typed amount. If the page has not called
 * `open_customer` yet, this read calls it and thus adds an audit entry. The page keeps the amounts, so that the next
 * transactions of the customer do not add further entries.
 */
export function largestAmountsQuery(id: string) {
  return queryOptions({
    queryKey: ['largest amounts', id],
    staleTime: reopenAfterMs,
    gcTime: reopenAfterMs,
    queryFn: async ({ client }): Promise<LargestAmounts> => {
      const { largest } = await client.fetchQuery({ ...customerQuery(id), staleTime: reopenAfterMs })
      return largest
    },
  })
}

/**
 * Reads the data that explain a customer's balance. Runs `customerQuery` first, because the database requires the audit
 * entry.
 */
export function customerExplanationQuery(id: string) {
  return queryOptions({
    ...ofThePage,
    queryKey: [...customerKeys.all(id), 'explanation'],
    queryFn: async ({ client, signal }): Promise<BalanceExplanation> => {
      await client.fetchQuery({ ...customerQuery(id), staleTime: reopenAfterMs })
      const api = await backend()
      return explanationOf(
        unwrap(await api.rpc('read_customer_balance', { user_id: id }).abortSignal(signal)),
      )
    },
  })
}

/**
 * Reads a customer's transactions. The page must run `customerQuery` first, because the database requires the audit
 * entry.
 */
export function customerHistoryQuery(id: string) {
  const queryKey = customerKeys.history(id)
  return queryOptions({
    ...ofThePage,
    queryKey,
    structuralSharing: false,
    queryFn: ({ client, signal }): Promise<History> =>
      readInto(client, queryKey, readCustomerHistory(id, signal), signal),
  })
}

/** Number of transactions that a look at a customer shows. */
const latestMax = 5

/** Reads a customer's latest transactions. Runs `customerQuery` first, because the database requires the audit entry. */
export function customerLatestQuery(id: string) {
  return queryOptions({
    ...ofThePage,
    queryKey: [...customerKeys.all(id), 'latest'],
    queryFn: async ({ client, signal }): Promise<Transaction[]> => {
      await client.fetchQuery({ ...customerQuery(id), staleTime: reopenAfterMs })
      const api = await backend()
      return unwrap(
        await api.rpc('read_customer_transactions', { user_id: id, rows_max: latestMax }).abortSignal(signal),
      )
    },
  })
}

async function* readCustomerHistory(id: string, signal: AbortSignal): AsyncGenerator<ReadPage> {
  const client = await backend()
  let after: ReadPage['after'] = null
  for (;;) {
    const last: { before_date?: string; before_id?: string } =
      after === null ? {} : { before_date: after.date, before_id: after.id }
    const rows: Transaction[] = unwrap(
      await client.rpc('read_customer_transactions', { user_id: id, ...last }).abortSignal(signal),
    )
    const isLast = rows.length < restRowsMax
    yield { rows, after, isLast }
    after = rows.at(-1) ?? null
    if (isLast) return
  }
}

export async function readCustomerEntries(
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<JournalEntry[]> {
  const client = await backend()
  return unwrap(
    await client
      .rpc('read_customer_journal', { user_id: id, after_seq: after })
      .abortSignal(signal)
      .overrideTypes<JournalEntry[], { merge: false }>(),
  )
}
