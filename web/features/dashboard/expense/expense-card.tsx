import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { NewTransaction, Transaction } from '@finanzas/contract/rows.ts'
import { ownBalanceMinCode, ownPostingsMaxCode } from '@finanzas/contract/wire-codes.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { noonInBogota } from '#format/dates.ts'
import { AmountField } from '#money/amount-field.tsx'
import { descriptionErrors, readAmount } from '#money/amounts.ts'
import { addExpense, deleteTransaction } from '#ledger/changes.ts'
import { moneyCopy } from '#money/copy.ts'
import { CategoryField, proposalsQuery } from '#categorization/category-field.tsx'
import { expenseDays } from '#transactions/expense-days.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { lineOf, textOf, useSubmission, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { expenseFormId } from './expense-link.tsx'

type FieldName = 'amount' | 'description' | 'date' | 'form'

/** Form for the customer's own expense. The amount comes first, and the form resets after each expense. */
export function ExpenseCard({ userId, className }: { userId: string; className: string }) {
  const client = useQueryClient()
  const [days, setDays] = useState(expenseDays)
  const [description, setDescription] = useState('')
  const [isInUse, setIsInUse] = useState(false)
  const [added, setAdded] = useState(0)
  const { errors, isSending, onSubmit } = useSubmission<NewTransaction, FieldName, Transaction>({
    read: (fields) => readExpense(fields, userId),
    send: (expense) => addExpense(client, expense),
    success: (_, row) => ({
      title: dashboardCopy.expenseAddedTitle,
      description: row.description,
      action: { label: dashboardCopy.undo, onSelect: () => void undo(client, row) },
    }),
    failure: (error) => {
      logQuietly(error, 'expense insert')
      const sentence = sentenceFor(error)
      return {
        title: dashboardCopy.expenseFailedTitle,
        description: sentence,
        errors: { form: sentence },
      }
    },
    onDone: (form) => {
      setDays(expenseDays())
      setDescription('')
      setAdded((count) => count + 1)
      form.reset()
      void client.invalidateQueries(proposalsQuery(userId))
    },
  })

  return (
    <Card id={expenseFormId} title={dashboardCopy.expenseTitle} className={className}>
      <form noValidate onSubmit={onSubmit} onFocus={() => setIsInUse(true)} className="p-4 sm:p-6">
        <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
          <AmountField label={dashboardCopy.amount} name="amount" error={errors.amount} />
          <InputField
            label={moneyCopy.description}
            name="description"
            autoComplete="off"
            placeholder={dashboardCopy.descriptionPlaceholder}
            onInput={(event) => setDescription(event.currentTarget.value)}
            error={errors.description}
          />
          {/* The fields stand side by side if the width and the text size leave room. */}
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-4">
            <CategoryField
              // A new key resets the field: a chosen category applies to one expense only.
              key={added}
              userId={userId}
              description={description}
              fallback="Otro"
              isInUse={isInUse}
            />
            <InputField
              label={dashboardCopy.date}
              name="date"
              type="date"
              key={days.last}
              defaultValue={days.last}
              min={days.first}
              max={days.last}
              error={errors.date}
            />
          </div>
          <FormError>{errors.form}</FormError>
          <Button type="submit" isBusy={isSending}>
            {dashboardCopy.addExpense}
          </Button>
        </fieldset>
      </form>
    </Card>
  )
}

/**
 * Removes the new expense. A failure is handled as a failed deletion: it is logged, and the row returns
 * (docs/specification.md §8).
 */
async function undo(client: QueryClient, row: Transaction): Promise<void> {
  try {
    await deleteTransaction(client, row)
    showToast({ title: dashboardCopy.expenseUndoneTitle, description: row.description })
    await client.invalidateQueries(proposalsQuery(row.user_id))
  } catch (error) {
    logQuietly(error, 'expense undo')
  }
}

const sentences: Readonly<Record<string, string>> = {
  [ownBalanceMinCode]: dashboardCopy.balanceTooLow,
  [ownPostingsMaxCode]: dashboardCopy.tooManyExpenses,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? dashboardCopy.expenseFailedText
}

function readExpense(fields: FormData, userId: string): Reading<NewTransaction, FieldName> {
  const description = lineOf(fields, 'description')
  const amount = readAmount(textOf(fields, 'amount'))
  const day = textOf(fields, 'date')
  const { first, last } = expenseDays()
  const errors: FieldErrors<FieldName> = {
    ...descriptionErrors(description),
    ...(!amount.ok && { amount: amount.error }),
    ...((day < first || day > last) && { date: dashboardCopy.farDate }),
    ...(day === '' && { date: dashboardCopy.missingDate }),
  }
  if (!amount.ok || Object.keys(errors).length > 0) return { ok: false, errors }
  return {
    ok: true,
    value: {
      user_id: userId,
      type: 'expense',
      description,
      amount: numberFromMinor(amount.amountMinor),
      category: textOf(fields, 'category') || null,
      // For today no date is sent: the database sets the current time.
      ...(day !== last && { date: noonInBogota(day) }),
    },
  }
}
