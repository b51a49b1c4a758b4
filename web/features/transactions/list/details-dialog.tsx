import { Trash2 } from 'lucide-react'
import { flushSync } from 'react-dom'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { transactionsCopy } from '#features/transactions/copy.ts'
import { Details } from '#ledger/list/details.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Props = {
  transaction: Transaction
  onRemove: (transaction: Transaction) => void
  onClose: () => void
}

/** One movement whole, and what can be done with it. */
export function DetailsDialog({ transaction, onRemove, onClose }: Props) {
  const remove = () => {
    // The focus is back on the row before the row goes, and so on to the next one.
    flushSync(onClose)
    onRemove(transaction)
  }
  return (
    <Dialog title={transaction.description} onClose={onClose}>
      <Details transaction={transaction} />
      <Button variant="danger" className="mt-6 w-full" onClick={remove}>
        <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        {transactionsCopy.removeFromDetails}
      </Button>
    </Dialog>
  )
}
