import { Pencil, Repeat, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { Details } from '#money/list/details.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { transactionCopy } from './copy.ts'
import { OwnCorrections } from './corrections.tsx'
import { EditForm } from './edit-form.tsx'
import { ReceiptButton } from './receipt-button.tsx'

type Props = {
  transaction: Transaction
  /** Deletes the transaction. The function is missing if the transaction cannot be deleted. */
  onRemove?: (transaction: Transaction) => void
  startsEditing?: boolean
  onClose: () => void
}

/** Shows all data of a transaction, including data that do not fit into its row, and buttons for its actions. */
export function DetailsDialog({ transaction, onRemove, startsEditing = false, onClose }: Props) {
  const [isEditing, setIsEditing] = useState(startsEditing)
  if (isEditing) {
    return (
      <Dialog title={transactionCopy.editTitle} part="form" onClose={onClose}>
        <EditForm transaction={transaction} onClose={onClose} />
      </Dialog>
    )
  }
  const remove = () => {
    // Closes the dialog first, so that the focus returns to the row. When the row disappears, the focus moves to the
    // next row.
    flushSync(onClose)
    onRemove?.(transaction)
  }
  return (
    <Dialog title={transaction.description} onClose={onClose}>
      <Details transaction={transaction}>
        <OwnCorrections transaction={transaction} />
      </Details>
      <div className="mt-6 grid gap-3">
        <Button variant="outline" onClick={() => setIsEditing(true)}>
          <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          {transactionCopy.edit}
        </Button>
        <ReceiptButton transaction={transaction} />
        {transaction.type === 'expense' && transaction.recorded_by === 'customer' && (
          <Link to={`/recurrentes?repetir=${transaction.id}`} className={buttonClass({ variant: 'outline' })}>
            <Repeat aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {transactionCopy.repeat}
          </Link>
        )}
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
