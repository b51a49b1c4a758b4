import { FileText, Undo2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { flushSync } from 'react-dom'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { Details } from '#money/list/details.tsx'
import { Corrections } from '#money/details/corrections.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { customersCopy } from './copy.ts'

type Props = Omit<ComponentProps<typeof Corrections>, 'id'> & {
  transaction: Transaction
  onCorrect: (transaction: Transaction) => void
  onReceipt: (transaction: Transaction) => void
  onClose: () => void
}

/** Shows all data of a transaction. Staff can correct the bank's mistakes from this dialog. */
export function DetailsDialog({
  transaction,
  corrections,
  correctedOf,
  onCorrect,
  onReceipt,
  onClose,
}: Props) {
  const { id, recorded_by, description } = transaction
  // If a correction has recorded a replacement, staff can correct only the replacement.
  const isCorrected = corrections.some(
    (each) => each.corrected_id === id || (each.id === id && each.replacement_id !== null),
  )
  const afterClosing = (open: (transaction: Transaction) => void) => {
    // Close this dialog first, so that the focus returns to the row. The next dialog then also returns the focus to the
    // row when it closes.
    flushSync(onClose)
    open(transaction)
  }
  return (
    <Dialog title={description} onClose={onClose}>
      <Details transaction={transaction} customer={customersCopy.recorder}>
        <Corrections id={id} corrections={corrections} correctedOf={correctedOf} />
      </Details>
      <div className="mt-6 grid gap-3">
        {recorded_by === 'bank' && !isCorrected && (
          <Button variant="outline" onClick={() => afterClosing(onCorrect)}>
            <Undo2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {customersCopy.correct}
          </Button>
        )}
        <Button variant="outline" onClick={() => afterClosing(onReceipt)}>
          <FileText aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          {customersCopy.papers.receipt}
        </Button>
      </div>
    </Dialog>
  )
}
