import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Link } from '#ui/address/link.tsx'
import { dashboardTransactionsMax } from '@finanzas/contract/limits.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { latestQuery } from '#data/queries.ts'
import { expenseCopy } from '#money/expense/copy.ts'
import { ExpenseButton } from '#money/expense/expense-button.tsx'
import { TransactionRow } from '#money/transaction-row.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { buttonClass } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { GhostRows } from '#ui/ghost-rows.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { useDeferredArrival } from '#ui/use-deferred-arrival.ts'
import { dashboardCopy } from './copy.ts'

type Props = { userId: string; className: string }

export function LatestCard({ userId, className }: Props) {
  return (
    <Card
      title={dashboardCopy.historyTitle}
      className={className}
      action={
        <>
          <ExpenseButton
            userId={userId}
            variant="quiet"
            className="-mr-3 lg:hidden"
            aria-label={expenseCopy.add}
          >
            <Plus aria-hidden="true" className="size-4.5" />
            <span className="max-[24rem]:hidden">{expenseCopy.addShort}</span>
          </ExpenseButton>
          <SeeAll className="-mr-3 max-lg:hidden" />
        </>
      }
    >
      <div className="flex-1 px-4 sm:px-6">
        <Latest userId={userId} />
      </div>
      <SeeAll className="lg:hidden" />
    </Card>
  )
}

/**
 * The link to all transactions. On a phone the link is below the list, because the buttons above the list are used more
 * often.
 */
function SeeAll({ className }: { className: string }) {
  return (
    <Link to="/transacciones" className={`${buttonClass({ variant: 'quiet' })} ${className}`}>
      {dashboardCopy.seeAll}
    </Link>
  )
}

function Latest({ userId }: { userId: string }) {
  const latest = useQuery(latestQuery(userId))
  const rows = useDeferredArrival(latest.data)
  if (rows === undefined) {
    return (
      <GhostRows count={dashboardTransactionsMax} rowClass="min-h-15 sm:min-h-18">
        {latest.isError && <RetryLine look="block" onRetry={() => void latest.refetch()} />}
      </GhostRows>
    )
  }
  if (rows.length === 0) {
    return (
      <p className="grid min-h-24 place-content-center text-center text-muted">
        {dashboardCopy.historyEmpty}
      </p>
    )
  }
  return <LatestRows rows={rows} />
}

const detailsDialog = lazyCode(() => import('#money/details/details-dialog.tsx'), 'DetailsDialog')

function LatestRows({ rows }: { rows: readonly Transaction[] }) {
  const { open, dialog } = useLazyDialog(detailsDialog)
  return (
    <>
      <ul className="rows divide-y divide-line">
        {rows.map((transaction) => (
          <li key={transaction.id} className="grid grid-cols-1 items-center">
            <TransactionRow transaction={transaction} onOpen={() => open({ transaction })} />
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}
