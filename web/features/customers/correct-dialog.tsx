import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isPlainLine } from '@finanzas/contract/plain-line.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { createRepeatableCall } from '#backend/functions.ts'
import { displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { sentenceOf } from '#ledger/staff/sentence.ts'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { lineOf, readingOf, type Reading } from '#ui/form/form.ts'
import { customersCopy } from './copy.ts'

type Props = { transaction: Transaction; onCorrected: () => unknown; onClose: () => void }

const copy = customersCopy.correction

export function CorrectDialog({ transaction, onCorrected, onClose }: Props) {
  const [call] = useState(createRepeatableCall)
  const { id: transaction_id, user_id, type, amount, description } = transaction
  return (
    <FormDialog<string, 'reason'>
      title={copy.title}
      description={description}
      submitLabel={customersCopy.correct}
      onClose={onClose}
      read={readReason}
      send={(reason) =>
        call('manage-transactions', {
          action: 'correct',
          correction: { user_id, transaction_id, reason },
        })
      }
      success={{ title: copy.doneTitle, description }}
      failure={(error) => ({ title: copy.failedTitle, description: sentenceOf(error) })}
      onDone={() => {
        onClose()
        void onCorrected()
      }}
    >
      {(errors) => (
        <>
          <p className="text-sm text-muted">
            <MoneyText within={copy.explained(type)}>{displayedMoney(amount)}</MoneyText>
          </p>
          <InputField
            label={copy.reason}
            name="reason"
            autoComplete="off"
            hint={copy.reasonHint}
            error={errors.reason}
            required
          />
        </>
      )}
    </FormDialog>
  )
}

function readReason(fields: FormData): Reading<string, 'reason'> {
  const reason = lineOf(fields, 'reason')
  const isLong = [...reason].length > descriptionLengthMax
  return readingOf(
    {
      ...(isLong && { reason: copy.longReason }),
      ...(!isPlainLine(reason) && { reason: copy.unsavableReason }),
      ...(reason === '' && { reason: copy.missingReason }),
    },
    reason,
  )
}
