import { Trash2 } from 'lucide-react'
import { flushSync } from 'react-dom'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { formatDateTime } from '#format/dates.ts'
import { displayedAmount } from '#ledger/amounts.ts'
import { CategoryBadge } from '#ledger/category-badge.tsx'
import { MoneyText } from '#ledger/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Props = {
  transaction: Transaction
  onRemove: (transaction: Transaction) => void
  onClose: () => void
}

const { details } = transactionsCopy

/** One movement whole, and what can be done with it: what a row has no room for on a phone. */
export function DetailsDialog({ transaction, onRemove, onClose }: Props) {
  const { type, description, date, recorded_by } = transaction
  const remove = () => {
    // The focus is back on the row before the row goes, and so on to the next one.
    flushSync(onClose)
    onRemove(transaction)
  }
  return (
    <Dialog title={description} onClose={onClose}>
      <div className="@container">
        <MoneyText className={`text-3xl font-semibold ${type === 'deposit' ? 'text-positive' : ''}`}>
          {displayedAmount(transaction)}
        </MoneyText>
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <dt className="text-muted">{details.date}</dt>
        <dd>
          <time dateTime={date}>{formatDateTime(date)}</time>
        </dd>
        <dt className="text-muted">{details.category}</dt>
        <dd className="flex min-w-0">
          <CategoryBadge transaction={transaction} />
        </dd>
        <dt className="text-muted">{details.recordedBy}</dt>
        <dd>{details.recorders[recorded_by]}</dd>
      </dl>
      <Button variant="danger" className="mt-6 w-full" onClick={remove}>
        <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        {details.remove}
      </Button>
    </Dialog>
  )
}
