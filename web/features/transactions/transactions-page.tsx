import { useQuery } from '@tanstack/react-query'
import { AmountsEye } from '#ledger/money-text.tsx'
import { historyQuery } from '#ledger/queries.ts'
import { useUser } from '#session/session.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { transactionsCopy } from './copy.ts'
import { HistoryCard } from './history-card.tsx'

export function TransactionsPage() {
  const user = useUser()
  const { data: history, isError, refetch } = useQuery(historyQuery(user.id))
  // A reading that has answered nothing yet is no empty history.
  const hasAnswer = history !== undefined && (history.isComplete || history.pages.length > 0)
  const retry = () => void refetch()
  return (
    <>
      <PageHeading documentTitle={transactionsCopy.documentTitle} heading={transactionsCopy.heading}>
        <AmountsEye className="-my-1 -mr-3 hover:bg-primary-soft print:hidden" />
      </PageHeading>
      {hasAnswer ? (
        <HistoryCard history={history} isInterrupted={isError && !history.isComplete} onRetry={retry} />
      ) : (
        <div className="grid min-h-[50svh] place-content-center">
          {isError ? <RetryLine onRetry={retry} /> : <Spinner label={transactionsCopy.loading} />}
        </div>
      )}
    </>
  )
}
