import { useInfiniteQuery } from '@tanstack/react-query'
import { displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { linesQuery, type BatchLine } from './batches.ts'
import { batchCopy as copy } from './copy.ts'

/** The lines of a batch with what became of each; those that failed stand first. */
export function LineTable({ id, failed }: { id: string; failed: number }) {
  return (
    <>
      {failed > 0 && <Lines id={id} status="failed" title={copy.failed(failed)} />}
      <Lines id={id} status={null} title={copy.linesTitle} />
    </>
  )
}

function Lines({ id, status, title }: { id: string; status: 'failed' | null; title: string }) {
  const lines = useInfiniteQuery(linesQuery(id, status))
  const rows = lines.data?.pages.flat() ?? []
  return (
    <>
      {rows.length > 0 && (
        <table className="batch-lines">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{copy.columns.line}</th>
              <th scope="col">{copy.columns.customer}</th>
              <th scope="col" className="text-right">
                {copy.columns.amount}
              </th>
              <th scope="col">{copy.columns.status}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((line) => (
              <Line key={line.line} line={line} />
            ))}
          </tbody>
        </table>
      )}
      {lines.isError ? (
        <div className="px-4 pb-4 sm:px-6">
          <RetryLine message={copy.unread} onRetry={() => void lines.refetch()} />
        </div>
      ) : (
        lines.hasNextPage && (
          <Button
            variant="quiet"
            className="my-2 self-center"
            isBusy={lines.isFetchingNextPage}
            onClick={() => void lines.fetchNextPage()}
          >
            {copy.more}
          </Button>
        )
      )}
    </>
  )
}

function Line({ line: { line, amount, description, status, fault, profiles } }: { line: BatchLine }) {
  const email = profiles?.user_safe?.email ?? copy.gone
  const name = profiles?.full_name?.trim() ?? ''
  return (
    <tr>
      <td className="figures">{line}</td>
      <td className="wrap-anywhere">
        {name === '' ? email : name}
        <span className="block text-muted">
          {[name === '' ? '' : email, description ?? ''].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className="text-right">
        <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
      </td>
      <td className={status === 'failed' ? 'text-danger' : undefined}>
        {copy.statuses[status]}
        {fault !== null && <span className="block">{fault}</span>}
      </td>
    </tr>
  )
}
