import { useQuery } from '@tanstack/react-query'
import { Pencil, Repeat, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from '#ui/address/link.tsx'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { formatDateShort, noonInBogota } from '#format/dates.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { Details } from '#transactions/list/details.tsx'
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
        <RecurringOrigin transaction={transaction} />
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

/**
 * Line that is shown if a recurring expense recorded the transaction. The page fetches the line's data when the user
 * opens the details.
 */
function RecurringOrigin({ transaction: { id, user_id, recorded_by } }: { transaction: Transaction }) {
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
