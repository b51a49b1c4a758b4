import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { refusalMessage } from '#api/refusals.ts'
import { CategoryField } from '#categories/category-field.tsx'
import { dayInBogota, noonInBogota } from '#ui/format/dates.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { descriptionErrors, displayedMoney, readAmount } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { useAmountsHidden } from '#amounts/money-text.tsx'
import { expenseCopy } from '#money/expense/copy.ts'
import { dateErrors, expenseDays } from '#money/expense/expense-days.ts'
import { Button } from '#ui/button.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { lineOf, rawTextOf, textOf, useSubmission, type FieldErrors, type Reading } from '#ui/form/form.ts'
import type { ToastMessage } from '#ui/toast/toast-store.ts'
import { transactionCopy } from './copy.ts'
import { editing, saveEdit, type Edit } from './edit.ts'
import { RuleChoice, ruleTextOf } from './rule-choice.tsx'

type FieldName = 'amount' | 'date' | 'description'
type Props = { transaction: Transaction; onClose: () => void }

/**
 * Form for the values of a transaction that the customer may change. The lists show the new values immediately, but the
 * form keeps the typed text until the bank confirms the edit.
 */
export function EditForm({ transaction, onClose }: Props) {
  const client = useQueryClient()
  const [description, setDescription] = useState(transaction.description)
  const [openedAt] = useState(Date.now)
  const { errors, isSending, onSubmit } = useSubmission<Edit, FieldName, ToastMessage | null>({
    read: (fields) => readEdit(fields, transaction, openedAt),
    send: (edit) => saveEdit(client, transaction, edit),
    success: (_, message) => message,
    failure: (error) => refusalMessage(error, editing),
    onDone: onClose,
  })
  const isOwn = transaction.recorded_by === 'customer'
  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-4">
          {isOwn ? <OwnValues transaction={transaction} errors={errors} /> : <BankValues {...transaction} />}
        </div>
        {isOwn ? (
          <InputField
            label={moneyCopy.description}
            name="description"
            autoComplete="off"
            defaultValue={transaction.description}
            onInput={(event) => setDescription(event.currentTarget.value)}
            error={errors.description}
          />
        ) : (
          <div>
            <p className="font-medium wrap-anywhere" translate="no">
              {transaction.description}
            </p>
            <p className="mt-1.5 text-sm text-muted">{transactionCopy.bankDescription}</p>
          </div>
        )}
        <CategoryField
          userId={transaction.user_id}
          description={description}
          kept={transaction.description}
          current={transaction.category}
          isInUse
        />
        <RuleChoice transaction={transaction} />
        <FormError>{errors.form}</FormError>
        <Button type="submit" isBusy={isSending}>
          {transactionCopy.save}
        </Button>
      </fieldset>
    </form>
  )
}

type OwnValuesProps = { transaction: Transaction; errors: FieldErrors<FieldName> }

function OwnValues({ transaction: { amount, date }, errors }: OwnValuesProps) {
  const [days] = useState(expenseDays)
  return (
    <>
      <AmountField
        label={expenseCopy.amount}
        name="amount"
        defaultMinor={minorFromDecimal(amount)}
        error={errors.amount}
      />
      <InputField
        label={expenseCopy.date}
        name="date"
        type="date"
        defaultValue={dayInBogota(new Date(date))}
        min={days.first}
        max={days.last}
        error={errors.date}
      />
    </>
  )
}

function BankValues({ amount, date }: Transaction) {
  const [isHidden] = useAmountsHidden()
  const values = [
    { label: expenseCopy.amount, value: isHidden ? moneyCopy.hiddenAmount : displayedMoney(amount) },
    { label: expenseCopy.date, value: dayInBogota(new Date(date)), type: 'date' },
  ]
  return values.map((field) => (
    <InputField key={field.label} {...field} disabled readOnly hint={transactionCopy.byBank} />
  ))
}

/**
 * Reads the form. If the day is unchanged, the transaction keeps its time. If the day is changed, the time is noon or
 * the time at which the form was opened, whichever is earlier. A retry therefore sends the same values.
 */
function readEdit(fields: FormData, transaction: Transaction, openedAt: number): Reading<Edit, FieldName> {
  const category = textOf(fields, 'category') || null
  const ruleText = ruleTextOf(fields)
  if (transaction.recorded_by === 'bank')
    return { ok: true, value: { values: { ...transaction, category }, ruleText } }
  const amount = readAmount(textOf(fields, 'amount'))
  const day = textOf(fields, 'date')
  const isDayKept = day === dayInBogota(new Date(transaction.date))
  // An untouched description is sent unchanged, because a description that was not typed into a form may contain
  // whitespace that a form removes.
  const isUntouched = rawTextOf(fields, 'description') === transaction.description
  const description = isUntouched ? transaction.description : lineOf(fields, 'description')
  const errors: FieldErrors<FieldName> = {
    ...(!amount.ok && { amount: amount.error }),
    ...(!isDayKept && dateErrors(day)),
    ...descriptionErrors(description),
  }
  if (!amount.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  const date = isDayKept
    ? transaction.date
    : new Date(Math.min(Date.parse(noonInBogota(day)), openedAt)).toISOString()
  const values = { amount: numberFromMinor(amount.amountMinor), date, description, category }
  return { ok: true, value: { values, ruleText } }
}
