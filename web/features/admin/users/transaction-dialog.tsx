import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { createRepeatableCall } from '#backend/repeatable-call.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { readAmount } from '#ledger/read-amount.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission, type Reading } from '#ui/form/use-submission.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { registerTransaction, sentenceOf, type AdministratorTransaction, type ListedUser } from './users.ts'

type TypedTransaction = Pick<AdministratorTransaction, 'type' | 'amount' | 'description'>
type FieldName = 'amount' | 'description'

export function TransactionDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const [call] = useState(createRepeatableCall)
  const { errors, isSending, onSubmit } = useSubmission<TypedTransaction, FieldName>({
    read: readTransaction,
    send: async (transaction) => {
      try {
        await call(transaction, ({ key, at }) =>
          registerTransaction({ ...transaction, user_id: user.id, date: at }, key),
        )
      } catch (error) {
        showToast({
          title: adminCopy.transactionFailedTitle,
          description: sentenceOf(error),
          variant: 'destructive',
        })
        return
      }
      showToast({ title: adminCopy.success, description: adminCopy.transactionSavedText })
      onClose()
    },
  })

  return (
    <Dialog
      title={adminCopy.transactionDialogTitle}
      description={user.name}
      closeLabel={adminCopy.close}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-4">
          <SelectField label={adminCopy.type} name="type" defaultValue="deposit">
            <option value="deposit">{adminCopy.types.deposit}</option>
            <option value="expense">{adminCopy.types.expense}</option>
          </SelectField>
          <AmountField label={adminCopy.amount} name="amount" error={errors.amount} required />
          <InputField
            label={adminCopy.description}
            name="description"
            autoComplete="off"
            error={errors.description}
            required
          />
          <Button type="submit" isBusy={isSending} className="mt-1">
            {adminCopy.saveTransaction}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}

function readTransaction(fields: FormData): Reading<TypedTransaction, FieldName> {
  const amount = readAmount(textOf(fields, 'amount'))
  const description = textOf(fields, 'description')
  const errors = {
    ...(!amount.ok && { amount: amount.error }),
    ...(description === '' && { description: adminCopy.missingDescription }),
    ...([...description].length > descriptionLengthMax && { description: adminCopy.longDescription }),
  }
  if (!amount.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  const type = textOf(fields, 'type') === 'expense' ? 'expense' : 'deposit'
  return { ok: true, value: { type, amount: numberFromMinor(amount.amountMinor), description } }
}
