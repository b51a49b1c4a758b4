import { useQuery } from '@tanstack/react-query'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { formatDateShort, noonInBogota } from '#format/dates.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { transactionCopy } from './copy.ts'

/**
 * Line that is shown if a recurring expense recorded the transaction. The page fetches the line's data when the user
 * opens the details.
 */
export function RecurringOrigin({ transaction: { id, user_id, recorded_by } }: { transaction: Transaction }) {
  const { data: dueOn } = useQuery({
    // The key does not start with `refetchedOnChange`, because a transaction's origin never changes.
    queryKey: [...ledgerKeys.all(user_id), 'recurring-origin', id],
    enabled: recorded_by === 'customer',
    queryFn: async ({ signal }): Promise<string | null> => {
      const client = await backend()
      const occurrence = await client
        .from('recurring_occurrences')
        .select('due_on')
        .eq('user_id', user_id)
        .eq('transaction_id', id)
        .abortSignal(signal)
        .maybeSingle()
      return unwrap(occurrence)?.due_on ?? null
    },
  })
  if (typeof dueOn !== 'string') return null
  return (
    <p className="mt-4 rounded-md bg-primary-soft px-3.5 py-3 text-sm">
      {transactionCopy.recurring(formatDateShort(noonInBogota(dueOn)))}
    </p>
  )
}
