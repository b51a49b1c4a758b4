import { queryOptions, useQuery } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateShort, noonInBogota } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { dataKeys } from '#data/queries.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy } from './copy.ts'
import { LazyDetails } from './lazy-details.tsx'

const recordedMax = 50

/** The latest transactions that were recorded by recurring expenses, each with its due day. */
export function RecordedList({ userId }: { userId: string }) {
  return (
    <LazyDetails title={balanceCopy.recurring}>
      <Recorded userId={userId} />
    </LazyDetails>
  )
}

function Recorded({ userId }: { userId: string }) {
  const recorded = useQuery(recordedQuery(userId))
  if (recorded.data === undefined) {
    return recorded.isError ? (
      <RetryLine message={balanceCopy.loadFailed} onRetry={() => void recorded.refetch()} />
    ) : (
      <div aria-hidden="true" className="skeleton h-5" />
    )
  }
  if (recorded.data.length === 0) return <p className="text-sm text-muted">{balanceCopy.recurringNone}</p>
  return (
    <ol className="grid gap-2.5 text-sm">
      {recorded.data.map(({ due_on, amount, recurring_id, transaction_id, of }) => (
        <li key={`${recurring_id} ${due_on}`} className="wrap-anywhere">
          <time dateTime={due_on} className="text-muted">
            {formatDateShort(noonInBogota(due_on))}
          </time>
          {': '}
          <MoneyText
            within={(money) =>
              (transaction_id === null ? balanceCopy.recurringRefused : balanceCopy.recurringRecorded)(
                of.description,
                money,
              )
            }
          >
            {displayedMoney(amount)}
          </MoneyText>
        </li>
      ))}
    </ol>
  )
}

function recordedQuery(userId: string) {
  return queryOptions({
    queryKey: [...dataKeys.refetchedOnChange(userId), 'recorded'],
    queryFn: async ({ signal }) => {
      const client = await backend()
      return unwrap(
        await client
          .from('recurring_occurrences')
          .select('due_on,amount,recurring_id,transaction_id,of:recurring_expenses!inner(description)')
          .eq('user_id', userId)
          .order('due_on', { ascending: false })
          .limit(recordedMax)
          .abortSignal(signal),
      )
    },
  })
}
