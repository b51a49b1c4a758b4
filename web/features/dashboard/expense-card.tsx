import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { expenseCategories } from '@finanzas/contract/categories.ts'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { NewTransaction } from '@finanzas/contract/rows.ts'
import { ownBalanceMinCode, ownPostingsMaxCode } from '@finanzas/contract/wire-codes.ts'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { bogotaDay, isoDay, noonInBogota } from '#format/dates.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { descriptionErrors, readAmount } from '#ledger/amounts.ts'
import { addExpense } from '#ledger/changes.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { InputField, SelectField } from '#ui/form/field.tsx'
import { textOf, useSubmission, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { dashboardCopy } from './copy.ts'

type FieldName = 'description' | 'amount' | 'date'

export function ExpenseCard({ userId, className }: { userId: string; className: string }) {
  const client = useQueryClient()
  const [today, setToday] = useState(currentDay)
  const { errors, isSending, onSubmit } = useSubmission<NewTransaction, FieldName>({
    read: (fields) => readExpense(fields, userId),
    send: (expense) => addExpense(client, expense),
    success: ({ description }) => ({ title: dashboardCopy.expenseAddedTitle, description }),
    failure: (error) => {
      logQuietly(error, 'expense insert')
      return { title: dashboardCopy.expenseFailedTitle, description: sentenceFor(error) }
    },
    onDone: (form) => {
      setToday(currentDay())
      form.reset()
    },
  })

  return (
    <Card title={dashboardCopy.expenseTitle} className={className}>
      <form noValidate onSubmit={onSubmit} className="p-4 sm:p-6">
        <fieldset disabled={isSending} className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <InputField
            label={dashboardCopy.description}
            name="description"
            autoComplete="off"
            placeholder={dashboardCopy.descriptionPlaceholder}
            error={errors.description}
            className="sm:col-span-2"
          />
          <AmountField label={dashboardCopy.amount} name="amount" error={errors.amount} />
          <SelectField label={dashboardCopy.category} name="category">
            {expenseCategories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </SelectField>
          <InputField
            label={dashboardCopy.date}
            name="date"
            type="date"
            key={today}
            defaultValue={today}
            max={today}
            error={errors.date}
          />
          <Button type="submit" isBusy={isSending} className="self-end">
            {dashboardCopy.addExpense}
          </Button>
        </fieldset>
      </form>
    </Card>
  )
}

const sentences: Readonly<Record<string, string>> = {
  [ownBalanceMinCode]: dashboardCopy.balanceTooLow,
  [ownPostingsMaxCode]: dashboardCopy.tooManyExpenses,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? dashboardCopy.expenseFailedText
}

function readExpense(fields: FormData, userId: string): Reading<NewTransaction, FieldName> {
  const description = textOf(fields, 'description')
  const amount = readAmount(textOf(fields, 'amount'))
  const day = textOf(fields, 'date')
  const today = currentDay()
  const errors: FieldErrors<FieldName> = {
    ...descriptionErrors(description),
    ...(!amount.ok && { amount: amount.error }),
    ...(day === '' && { date: dashboardCopy.missingDate }),
    ...(day > today && { date: dashboardCopy.futureDate }),
  }
  if (!amount.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  return {
    ok: true,
    value: {
      user_id: userId,
      type: 'expense',
      description,
      amount: numberFromMinor(amount.amountMinor),
      category: textOf(fields, 'category'),
      // Today means now, which the database knows best.
      ...(day !== today && { date: noonInBogota(day) }),
    },
  }
}

function currentDay(): string {
  return isoDay(bogotaDay(new Date()))
}
