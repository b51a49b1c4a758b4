import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { Details } from '#ledger/list/details.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { customersCopy } from './copy.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import type { Customer } from './customer.ts'

type Props = {
  transaction: Transaction
  customer: Customer
  onCorrected: () => unknown
  onClose: () => void
}

/** One movement whole; what the bank recorded by mistake is corrected from here. */
export function DetailsDialog({ transaction, customer, onCorrected, onClose }: Props) {
  const [isCorrecting, setCorrecting] = useState(false)
  const isCorrected = customer.corrections.some(({ corrected_id }) => corrected_id === transaction.id)
  if (isCorrecting) return <CorrectDialog {...{ transaction, onCorrected, onClose }} />
  return (
    <Dialog title={transaction.description} onClose={onClose}>
      <Details transaction={transaction} customer={customersCopy.recorder} />
      {transaction.recorded_by === 'bank' && !isCorrected && (
        <Button variant="outline" className="mt-6 w-full" onClick={() => setCorrecting(true)}>
          <Undo2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          {customersCopy.correct}
        </Button>
      )}
    </Dialog>
  )
}
