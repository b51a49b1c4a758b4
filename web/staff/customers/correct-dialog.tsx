import { useState, type SyntheticEvent } from 'react'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { createRepeatable } from '#api/repeatable.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { displayedAmount, displayedMoney, readAmount } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { waitingToast, waitsForApproval } from '#staff/forms/approval.ts'
import { OwnAccount } from '#staff/forms/own-account.tsx'
import { ReasonField, reasonErrors } from '#staff/forms/reason-field.tsx'
import { refusalMessage } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import { StaffAmountField } from '#staff/forms/staff-amount-field.tsx'
import type { Registered } from '#staff/forms/transaction-dialog.tsx'
import { useUnusualAmount } from '#staff/forms/unusual-amount.ts'
import { useGo } from '#ui/address/address.tsx'
import { lineOf, readingOf, textOf, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

/**
 * The reason, and the correct amount in whole units. `right_amount` is missing if the transaction is cancelled without
 * a replacement.
 */
type Typed = { reason: string; right_amount?: number }
type CorrectionField = 'amount' | 'reason'

type Props = {
  transaction: Registered
  customer: Pick<Customer, 'name' | 'largest' | 'corrections'>
  /**
   * Reads the customer again. The dialog also calls `reload` after a refusal, because another staff member may have
   * changed the customer's data in the meantime.
   */
  reload: () => unknown
  onClose: () => void
}

const copy = customersCopy.correction

export function CorrectDialog({ transaction, customer, reload, onClose }: Props) {
  const go = useGo()
  const [repeat] = useState(createRepeatable)
  const [rightAmount, setRightAmount] = useState<number | null>(null)
  const { askAboutAmount, question } = useUnusualAmount(customer.largest)
  const { id: transaction_id, user_id, type, amount, description, date } = transaction
  return (
    <StaffDialog<Typed, CorrectionField, boolean>
      purpose={copy.purpose}
      title={copy.title}
      failedTitle={copy.failedTitle}
      description={
        <MoneyText within={(money) => `${description} · ${formatDateShort(date)} · ${money}`}>
          {displayedAmount(transaction)}
        </MoneyText>
      }
      submitLabel={
        rightAmount === null ? (
          customersCopy.correct
        ) : (
          <MoneyText isTyped within={copy.submitAmount}>
            {displayedMoney(rightAmount)}
          </MoneyText>
        )
      }
      onClose={onClose}
      read={(fields) => readCorrection(fields, amount)}
      ask={async ({ right_amount: right }) => right === undefined || askAboutAmount({ type, amount: right })}
      send={(typed) =>
        repeat({ transaction_id, ...typed }, async ({ key: idempotency_key }) => {
          const client = await backend()
          const correction = { user_id, transaction_id, ...typed, idempotency_key }
          return waitsForApproval(unwrap(await client.rpc('correct_transaction', correction)))
        })
      }
      success={(_, isWaiting) => (isWaiting ? waitingToast(go) : { title: copy.doneTitle, description })}
      failure={(error) => {
        void reload()
        return refusalMessage(error, { name: 'correction', title: copy.failedTitle, refusals: staffRefusals })
      }}
      onDone={() => {
        onClose()
        void reload()
      }}
    >
      {(errors) => (
        <>
          {question}
          <Fields {...{ transaction, customer, errors, rightAmount }} onRightAmount={setRightAmount} />
        </>
      )}
    </StaffDialog>
  )
}

type FieldsProps = Pick<Props, 'transaction' | 'customer'> & {
  errors: FieldErrors<CorrectionField>
  rightAmount: number | null
  onRightAmount: (amount: number | null) => void
}

function Fields({ transaction, customer, errors, rightAmount, onRightAmount }: FieldsProps) {
  const { id, user_id, type, amount } = transaction
  // Staff can cancel a correction, but cannot change its amount.
  const isCorrection = customer.corrections.some(({ id: corrected }) => corrected === id)
  const follow = ({ target }: SyntheticEvent) => {
    const right = target instanceof HTMLInputElement ? readAmount(target.value) : null
    onRightAmount(right?.ok === true ? numberFromMinor(right.amountMinor) : null)
  }
  return (
    <>
      <OwnAccount id={user_id} />
      <p className="text-sm text-muted">
        <MoneyText within={copy.explained(type, rightAmount !== null)}>{displayedMoney(amount)}</MoneyText>
      </p>
      {!isCorrection && (
        // The arrow keys change the amount without an input event, so the key events are handled too.
        <div onInput={follow} onKeyUp={follow}>
          <StaffAmountField
            label={copy.amount}
            customer={customer.name}
            type={type}
            emptyHint={copy.amountHint}
            error={errors.amount}
          />
        </div>
      )}
      <ReasonField error={errors.reason} />
    </>
  )
}

function readCorrection(fields: FormData, wrongAmount: number): Reading<Typed, CorrectionField> {
  const reason = lineOf(fields, 'reason')
  const typed = textOf(fields, 'amount')
  const right = typed === '' ? null : readAmount(typed)
  const isSame = right?.ok === true && right.amountMinor === minorFromDecimal(wrongAmount)
  return readingOf(
    {
      ...reasonErrors(reason),
      ...(isSame && { form: copy.sameAmount }),
      ...(right?.ok === false && { amount: right.error }),
    },
    { reason, ...(right?.ok === true && { right_amount: numberFromMinor(right.amountMinor) }) },
  )
}
