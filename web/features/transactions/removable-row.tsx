import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { deleteTransaction } from '#ledger/changes.ts'
import { TransactionRow } from '#ledger/transaction-row.tsx'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast-store.ts'
import { transactionsCopy } from './copy.ts'

type Props = { transaction: Transaction; onRemove: () => void }

/** A transaction with the button that deletes it. The row goes at once, so it cannot be deleted twice. */
export function RemovableRow({ transaction, onRemove }: Props) {
  const client = useQueryClient()
  const handleRemove = async () => {
    onRemove()
    try {
      await deleteTransaction(client, transaction)
      showToast({ title: transactionsCopy.removedTitle, description: transaction.description })
    } catch (error) {
      logQuietly(error, 'transaction delete')
    }
  }

  return (
    <div className="border-b border-line pr-1 pl-4 sm:pr-3 sm:pl-6">
      <TransactionRow
        transaction={transaction}
        action={
          <Button
            variant="muted-danger"
            size="icon"
            aria-label={transactionsCopy.remove(transaction.description)}
            onClick={() => void handleRemove()}
          >
            <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          </Button>
        }
      />
    </div>
  )
}
