import { Trash2 } from 'lucide-react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { TransactionRow } from '#ledger/transaction-row.tsx'
import { Button } from '#ui/button.tsx'
import { transactionsCopy } from '#features/transactions/copy.ts'

type Props = { transaction: Transaction; onRemove: (transaction: Transaction) => void }

/** A transaction with the button that deletes it. */
export function RemovableRow({ transaction, onRemove }: Props) {
  return (
    <div className="border-b border-line pr-1 pl-4 hover:bg-sunken/60 sm:pr-3 sm:pl-6">
      <TransactionRow
        transaction={transaction}
        iconBy="category"
        action={
          <Button
            variant="muted-danger"
            size="icon"
            aria-label={transactionsCopy.remove(transaction.description)}
            onClick={() => onRemove(transaction)}
          >
            <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          </Button>
        }
      />
    </div>
  )
}
