import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { formatDateTime } from '#format/dates.ts'
import { displayedAmount } from '#ledger/amounts.ts'
import { CategoryBadge } from '#ledger/category-badge.tsx'
import { MoneyText } from '#ledger/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { transactionCopy } from './copy.ts'
import { EditForm } from './edit-form.tsx'

type Props = {
  transaction: Transaction
  /** Where the row can be deleted. */
  onRemove?: (transaction: Transaction) => void
  onClose: () => void
}

/** One movement whole, and what can be done with it: what a row has no room for. */
export function DetailsDialog({ transaction, onRemove, onClose }: Props) {
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing) {
    return (
      <Dialog title={transactionCopy.editTitle} part="form" onClose={onClose}>
        <EditForm transaction={transaction} onClose={onClose} />
      </Dialog>
    )
  }
  const { type, description, date, recorded_by } = transaction
  const remove = () => {
    // The focus is back on the row before the row goes, and so on to the next one.
    flushSync(onClose)
    onRemove?.(transaction)
  }
  return (
    <Dialog title={description} onClose={onClose}>
      <div className="@container">
        <MoneyText className={`text-3xl font-semibold ${type === 'deposit' ? 'text-positive' : ''}`}>
          {displayedAmount(transaction)}
        </MoneyText>
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <dt className="text-muted">{transactionCopy.date}</dt>
        <dd>
          <time dateTime={date}>{formatDateTime(date)}</time>
        </dd>
        <dt className="text-muted">{transactionCopy.category}</dt>
        <dd className="flex min-w-0">
          <CategoryBadge transaction={transaction} />
        </dd>
        <dt className="text-muted">{transactionCopy.recordedBy}</dt>
        <dd>{transactionCopy.recorders[recorded_by]}</dd>
      </dl>
      <div className="mt-6 grid gap-3">
        <Button variant="outline" onClick={() => setIsEditing(true)}>
          <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          {transactionCopy.edit}
        </Button>
        {onRemove !== undefined && (
          <Button variant="danger" onClick={remove}>
            <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {transactionCopy.remove}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
