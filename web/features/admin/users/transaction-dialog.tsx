import { useState } from 'react'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { createRepeatableCall } from '#backend/repeatable-call.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { readAmount } from '#ledger/read-amount.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { registerTransaction, sentenceOf, type AdministratorTransaction, type ListedUser } from './users.ts'

type TypedTransaction = Pick<AdministratorTransaction, 'type' | 'amount' | 'description'>
type FieldName = 'amount' | 'description'

export function TransactionDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const [call] = useState(createRepeatableCall)
  const form = useSubmission<TypedTransaction, FieldName>({
    read: readTransaction,
    send: (transaction) =>
      call(transaction, ({ key, at }) =>
        registerTransaction({ ...transaction, user_id: user.id, date: at }, key),
      ),
    success: { title: adminCopy.success, description: adminCopy.transactionSavedText },
    failure: (error) => ({ title: adminCopy.transactionFailedTitle, description: sentenceOf(error) }),
    onDone: onClose,
  })

  return (
    <DialogForm
      form={form}
      title={adminCopy.transactionDialogTitle}
      description={user.name}
      closeLabel={adminCopy.close}
      submitLabel={adminCopy.saveTransaction}
      onClose={onClose}
    >
      <SelectField label={adminCopy.type} name="type" defaultValue="deposit">
        <option value="deposit">{adminCopy.types.deposit}</option>
        <option value="expense">{adminCopy.types.expense}</option>
      </SelectField>
      <AmountField label={adminCopy.amount} name="amount" error={form.errors.amount} required />
      <InputField
        label={adminCopy.description}
        name="description"
        autoComplete="off"
        error={form.errors.description}
        required
      />
    </DialogForm>
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
