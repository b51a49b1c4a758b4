import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '#api/repeatable.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { transfersCopy as copy } from '#transfers/copy.ts'
import type { Draft } from './draft.ts'
import { DraftForm } from './draft-form.tsx'
import { SummaryForm } from './summary-form.tsx'
import { SentPart } from './sent-part.tsx'
import { transfersQuery, type Transfer } from '#transfers/transfers.ts'
import { unansweredQuery } from './unanswered.ts'
import { useConfirmation } from '#transfers/beneficiaries/use-confirmation.tsx'

type Props = {
  userId: string
  ownAddress: string | undefined
  /** The id of the beneficiary that the form proposes. */
  to?: string
  onClose: () => void
}

const titles = {
  loading: copy.add,
  form: copy.add,
  summary: copy.dialog.summaryTitle,
  sent: copy.dialog.doneTitle,
} as const

/**
 * Dialog for a new transfer: a form for the recipient and the amount, then a summary that the customer confirms. After
 * a transfer that was done at once, the dialog offers the receipt.
 */
export function TransferDialog({ userId, ownAddress, to = '', onClose }: Props) {
  const transfers = useQuery(transfersQuery(userId))
  const { confirmed, dialog: proof } = useConfirmation(userId)
  const { id, draft, isReady, isUnanswered, sent, setIsReady, setSent, offer, restart } =
    useNewTransfer(userId)
  const part =
    sent !== null ? 'sent' : transfers.data === undefined ? 'loading' : isReady ? 'summary' : 'form'
  return (
    <>
      <Dialog
        title={titles[part]}
        part={part}
        unsaved={isUnanswered ? copy.dialog.closeUnknown : draft !== null && sent === null}
        onClose={onClose}
      >
        {sent !== null && draft !== null ? (
          <SentPart transfer={sent} name={draft.payee.name} onAnother={restart} onClose={onClose} />
        ) : transfers.data === undefined ? (
          transfers.isError ? (
            <RetryLine message={copy.unread} onRetry={() => void transfers.refetch()} />
          ) : (
            <Spinner label={copy.loading} />
          )
        ) : draft !== null && isReady ? (
          <SummaryForm
            id={id}
            userId={userId}
            draft={draft}
            account={transfers.data.account}
            isUnanswered={isUnanswered}
            onBack={() => setIsReady(false)}
            onSent={setSent}
            onClose={onClose}
          />
        ) : (
          <DraftForm
            transfers={transfers.data}
            ownAddress={ownAddress}
            proposed={to}
            draft={draft}
            confirmed={confirmed}
            onReady={offer}
          />
        )}
      </Dialog>
      {proof}
    </>
  )
}

/** Holds the transfer that the customer is writing, or the earlier transfer to which the bank has not answered. */
function useNewTransfer(userId: string) {
  const { data: unanswered = null } = useQuery(unansweredQuery(userId))
  const [draft, setDraft] = useState<Draft | null>(unanswered?.draft ?? null)
  const [isReady, setIsReady] = useState(unanswered !== null)
  // All attempts have the same id, even if the dialog is closed between them. If an answer was lost and the customer then
  // changes the amount, the bank refuses the second transfer instead of sending both.
  const [id, setId] = useState(() => unanswered?.id ?? newIdempotencyKey())
  const [sent, setSent] = useState<Transfer | null>(null)
  /** Shows the draft to the customer, who confirms it. */
  const offer = (ready: Draft) => {
    setDraft(ready)
    setIsReady(true)
  }
  const restart = () => {
    setId(newIdempotencyKey())
    setDraft(null)
    setIsReady(false)
    setSent(null)
  }
  const isUnanswered = unanswered?.id === id
  return { id, draft, isReady, isUnanswered, sent, setIsReady, setSent, offer, restart }
}
