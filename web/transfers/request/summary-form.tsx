import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { isOutcomeUnknown } from '#api/errors.ts'
import { refusalMessage } from '#api/refusals.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { FormEnd } from '#ui/form/field.tsx'
import { useSubmission } from '#ui/form/form.ts'
import type { ToastMessage } from '#ui/toast/toast-store.ts'
import { transfersCopy } from '#transfers/copy.ts'
import type { Draft } from './draft.ts'
import { transferRefusals } from '#transfers/refusals.ts'
import { dayInWords, stateInWords } from '#transfers/states.ts'
import { requestTransfer, SentBeforeError } from '#transfers/transfer-calls.ts'
import type { Transfer, TransferAccount } from '#transfers/transfers.ts'
import { untilAnswered } from './unanswered.ts'

const copy = transfersCopy.dialog

type Props = {
  /** Identifies the transfer in all attempts to send it. */
  id: string
  userId: string
  draft: Draft
  account: TransferAccount
  /** Whether the answer to an earlier attempt is missing. */
  isUnanswered: boolean
  onBack: () => void
  /** Called with a transfer that was done at once. The dialog then stays open. */
  onSent: (transfer: Transfer) => void
  onClose: () => void
}

/** Shows the recipient, the amount and the day of a transfer, and sends it when the customer confirms. */
export function SummaryForm({ id, userId, draft, account, isUnanswered, onBack, onSent, onClose }: Props) {
  const client = useQueryClient()
  const { payee, amountMinor, description, dueOn } = draft
  // The available amount is read only once. The request itself lowers the amount, so a later read would subtract the
  // transfer twice.
  const [availableMinor] = useState(isUnanswered ? null : account.availableMinor)
  const mustWait = amountMinor > account.automaticMaxMinor
  const sent = useRef<Transfer | null>(null)
  const { errors, isRetry, isSending, onSubmit } = useSubmission<Draft, never, Transfer>({
    read: () => ({ ok: true, value: draft }),
    send: () =>
      untilAnswered(client, userId, {
        sent: { id, draft },
        send: () =>
          requestTransfer(client, userId, { id, beneficiaryId: payee.id, amountMinor, description, dueOn }),
      }),
    success: (_, transfer) => {
      sent.current = transfer.status === 'done' ? transfer : null
      return sent.current === null ? newsOf(transfer, payee.name) : null
    },
    failure: (error) => {
      const refusal = refusalMessage(error, {
        name: 'transfer',
        title: copy.failedTitle,
        refusals: transferRefusals,
      })
      if (isOutcomeUnknown(error)) return { title: copy.unknownTitle, description: copy.unknownText }
      return error instanceof SentBeforeError ? { ...refusal, description: copy.earlierSent } : refusal
    },
    // A late answer must not close a dialog that was opened in the meantime.
    onDone: (form) => {
      if (!form.isConnected) return
      if (sent.current === null) onClose()
      else onSent(sent.current)
    },
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
        <div data-first tabIndex={-1} role="group" aria-label={copy.summaryTitle}>
          <Facts draft={draft} mustWait={mustWait} availableMinor={availableMinor} />
        </div>
        <FormEnd
          error={errors.form ?? (isUnanswered && !isSending ? copy.unknownText : undefined)}
          isRetry={isRetry}
          isBusy={isSending}
        >
          <MoneyText isTyped within={copy.submit}>
            {displayedMinor(amountMinor)}
          </MoneyText>
        </FormEnd>
        {/* If the user double-clicks the button of the previous step, the second click must not press this button. */}
        <Button variant="outline" onClick={({ detail }) => detail > 1 || onBack()}>
          {copy.back}
        </Button>
      </fieldset>
    </form>
  )
}

type FactsProps = { draft: Draft; mustWait: boolean; availableMinor: number | null }

function Facts({ draft, mustWait, availableMinor }: FactsProps) {
  const { payee, amountMinor, description, dueOn } = draft
  return (
    <dl className="grid gap-3">
      <Line name={copy.to}>
        {payee.name}
        <span className="block text-sm font-normal text-muted">
          {payee.address === null ? payee.payee_name : `${payee.payee_name} · ${payee.address}`}
        </span>
      </Line>
      <Line name={copy.amount}>
        <MoneyText isTyped>{displayedMinor(amountMinor)}</MoneyText>
      </Line>
      <Line name={copy.when}>
        {whenInWords(dueOn, mustWait)}
        {payee.destination !== null && (
          <span className="block text-sm font-normal text-muted">{copy.elsewhere}</span>
        )}
      </Line>
      {description !== '' && <Line name={copy.concept}>{description}</Line>}
      {availableMinor !== null && (
        <Line name={copy.left}>
          <MoneyText>{displayedMinor(Math.max(0, availableMinor - amountMinor))}</MoneyText>
        </Line>
      )}
    </dl>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="@container">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}

function whenInWords(dueOn: string | null, mustWait: boolean): string {
  if (dueOn === null) return mustWait ? copy.whenApproved : copy.now
  const day = dayInWords(dueOn)
  return mustWait ? copy.onDayApproved(day) : copy.onDay(day)
}

/** Returns the toast that says what the bank did with the transfer. */
function newsOf(transfer: Transfer, name: string): ToastMessage {
  const { status, due_on, reason } = transfer
  if (status === 'waiting') return { title: copy.waitingTitle, description: copy.waitingText(name) }
  if (status === 'scheduled')
    return { title: copy.scheduledTitle(dayInWords(due_on ?? '')), description: copy.scheduledText(name) }
  if (status === 'failed')
    return { title: copy.failedTitle, description: reason ?? transfersCopy.tryAgain, variant: 'destructive' }
  // The answer to an earlier attempt was lost, and the transfer has ended in the meantime.
  return { title: stateInWords(transfer), description: name }
}
