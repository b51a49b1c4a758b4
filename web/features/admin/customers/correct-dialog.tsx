import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { isPlainLine } from '@finanzas/contract/plain-line.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { backend } from '#backend/client.ts'
import { createRepeatable } from '#backend/functions.ts'
import { unwrap } from '#backend/unwrap.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { sentenceOf } from '#features/admin/sentence.ts'
import { useProof } from '#session/proof/use-proof.tsx'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { lineOf, readingOf, type Reading } from '#ui/form/form.ts'
import { customersCopy } from './copy.ts'

type Props = {
  transaction: Transaction
  /**
   * Reads the customer again, also after a refusal: another member of staff may have changed the customer meanwhile.
   */
  reload: () => unknown
  onClose: () => void
}

const copy = customersCopy.correction

export function CorrectDialog({ transaction, reload, onClose }: Props) {
  const [repeat] = useState(createRepeatable)
  const { proven, dialog: proof } = useProof(copy.purpose)
  const { id: transaction_id, user_id, type, amount, description } = transaction
  return (
    <>
      <FormDialog<string, 'reason'>
        title={copy.title}
        description={description}
        submitLabel={customersCopy.correct}
        onClose={onClose}
        read={readReason}
        send={(reason) =>
          proven(() =>
            repeat({ transaction_id, reason }, async ({ key: idempotency_key }) => {
              const client = await backend()
              const correction = { user_id, transaction_id, reason, idempotency_key }
              unwrap(await client.rpc('correct_transaction', correction))
            }),
          )
        }
        success={{ title: copy.doneTitle, description }}
        failure={(error) => {
          void reload()
          return { title: copy.failedTitle, description: sentenceOf(error) }
        }}
        onDone={() => {
          onClose()
          void reload()
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
      {proof}
    </>
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
