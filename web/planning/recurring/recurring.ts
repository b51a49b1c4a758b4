/** Reads and saves recurring expenses, and reads the proposals. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { bogotaDay, isoDay } from '#ui/format/dates.ts'
import { keptOffline, dataKeys, untilRead } from '#data/queries.ts'
import { refreshSummary } from '#data/refresh.ts'

type Row = Database['public']['Tables']['recurring_expenses']['Row']

type ExpectedPayment = Database['public']['Functions']['expected_payments']['Returns'][number]

export type Rhythm = Row['rhythm']

/** Rhythm and due days of a recurring expense. */
export type Schedule = Pick<Row, 'rhythm' | 'due_day' | 'next_due_on'>

/** A schedule, together with the values of the transactions to record. */
export type Plan = Schedule & Pick<Row, 'description' | 'amount' | 'category'>

export type Recurring = Plan &
  Pick<Row, 'id' | 'status' | 'is_automatic'> & {
    /**
     * This month's due days in ascending order, each with the date on which its payment was made. An unpaid due day of
     * the previous month comes first.
     */
    days: readonly Pick<ExpectedPayment, 'due_on' | 'paid_on' | 'is_overdue'>[]
    /**
     * The latest due day on which the expense could not be recorded. The list is empty if the expense could be recorded
     * on every recent due day.
     */
    refused: readonly { due_on: string }[]
  }

/** Number of days for which the page keeps showing a due day that could not be recorded. */
const refusedDays = 35

/** Reads the active and paused recurring expenses, ordered by their next due day. */
export function recurringQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    ...keptOffline,
    // This key has the same prefix as the summary's key, so a newly announced transaction also invalidates this query.
    queryKey: [...dataKeys.refetchedOnChange(userId), 'recurring'],
    queryFn: async ({ signal }): Promise<Recurring[]> => {
      const client = await backend()
      const [expenses, days] = await Promise.all([
        client
          .from('recurring_expenses')
          .select(
            'id,description,amount,category,rhythm,due_day,next_due_on,status,is_automatic,refused:recurring_occurrences(due_on)',
          )
          .eq('user_id', userId)
          .in('status', ['active', 'paused'])
          .is('refused.transaction_id', null)
          .gte('refused.due_on', isoDay(bogotaDay(new Date()) - refusedDays))
          .order('due_on', { referencedTable: 'refused', ascending: false })
          .limit(1, { referencedTable: 'refused' })
          .order('next_due_on')
          .abortSignal(signal),
        client.rpc('expected_payments', undefined, { get: true }).abortSignal(signal),
      ])
      const expected = unwrap(days)
      return unwrap(expenses).map((each) => ({
        ...each,
        days: expected.filter(({ recurring_id }) => recurring_id === each.id),
      }))
    },
  })
}

export function proposalsQuery(userId: string) {
  return queryOptions({
    ...untilRead,
    queryKey: [...dataKeys.refetchedOnChange(userId), 'recurring-proposals'],
    queryFn: async ({ signal }): Promise<Plan[]> => {
      const client = await backend()
      const answer = await client
        .rpc('propose_recurring_expenses', undefined, { get: true })
        .abortSignal(signal)
      const proposals: unknown = unwrap(answer)
      return proposals as Plan[]
    },
  })
}

/** Reads the transaction to repeat. Returns `null` if the transaction is not one of the customer's expenses. */
export function repeatedQuery(userId: string, id: string | null) {
  return queryOptions({
    queryKey: [...dataKeys.all(userId), 'repeated', id],
    enabled: id !== null,
    queryFn: async ({
      signal,
    }): Promise<Pick<Transaction, 'description' | 'amount' | 'category' | 'date'> | null> => {
      const client = await backend()
      return unwrap(
        await client
          .from('transactions')
          .select('description,amount,category,date')
          .eq('user_id', userId)
          .eq('id', id ?? '')
          .eq('type', 'expense')
          .abortSignal(signal)
          .maybeSingle(),
      )
    },
  })
}

export type Wanted = Plan & Pick<Row, 'id' | 'status' | 'is_automatic'>

/** Adds a recurring expense, or replaces the recurring expense with the same id. Throws the table API's error. */
export async function saveRecurring(
  client: QueryClient,
  userId: string,
  { id, description, amount, category, rhythm, due_day, next_due_on, status, is_automatic }: Wanted,
): Promise<Row> {
  const api = await backend()
  const saved = unwrap(
    await api.rpc('save_recurring_expense', {
      id,
      description,
      amount,
      rhythm,
      next_due_on,
      status,
      is_automatic,
      ...(category !== null && { category }),
      ...(due_day !== null && { due_day }),
    }),
  )
  await refreshSummary(client, userId)
  return saved
}
