/** Records one of the customer's expenses: reads the form, sends the expense, and offers to undo it. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import type { NewTransaction, Transaction } from '@finanzas/contract/wire/rows.ts'
import { ownBalanceMinCode, ownPostingsMaxCode } from '#api/error-codes.ts'
import { logQuietly } from '#api/errors.ts'
import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { createRepeatable } from '#api/repeatable.ts'
import { proposalsQuery } from '#categories/category-field.tsx'
import { noonInBogota } from '#ui/format/dates.ts'
import { addExpense, deleteTransaction } from '#data/changes.ts'
import { descriptionErrors, readAmount } from '#amounts/amounts.ts'
import { lineOf, textOf, type FieldErrors, type Reading, type Submission } from '#ui/form/form.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { expenseCopy as copy } from './copy.ts'
import { dateErrors, expenseDays } from './expense-days.ts'

export type ExpenseField = 'amount' | 'description' | 'date'

/**
 * Submission logic for every form that records an expense. If the same values are sent again, the expense is still
 * recorded only once. Later category proposals take the new expense into account.
 */
export function useExpenseSubmission(userId: string) {
  const client = useQueryClient()
  const [repeat] = useState(createRepeatable)
  return {
    read: (fields: FormData) => readExpense(fields, userId),
    async send(expense: NewTransaction) {
      const row = await repeat(expense, ({ key: id }) => addExpense(client, { ...expense, id }))
      void client.invalidateQueries(proposalsQuery(userId))
      return row
    },
    success: (_: NewTransaction, row: Transaction) => ({
      title: copy.addedTitle,
      description: row.description,
      action: { label: copy.undo, onSelect: () => void undo(client, row) },
    }),
    failure: (error: unknown) =>
      refusalMessage(error, { name: 'expense insert', title: copy.failedTitle, refusals }),
  } satisfies Submission<NewTransaction, ExpenseField, Transaction>
}

/**
 * Removes the new expense. A failure is handled like a failed deletion: it is logged, and the row reappears
 * (docs/specification.md §8).
 */
async function undo(client: QueryClient, row: Transaction): Promise<void> {
  try {
    await deleteTransaction(client, row)
    showToast({ title: copy.undoneTitle, description: row.description })
    await client.invalidateQueries(proposalsQuery(row.user_id))
  } catch (error) {
    logQuietly(error, 'expense undo')
  }
}

const refusals: Refusals = {
  [ownBalanceMinCode]: copy.balanceTooLow,
  [ownPostingsMaxCode]: copy.tooManyExpenses,
  offline: copy.offline,
  noAnswer: copy.noAnswer,
  unavailable: copy.unavailable,
  otherwise: copy.failedText,
}

function readExpense(fields: FormData, userId: string): Reading<NewTransaction, ExpenseField> {
  const description = lineOf(fields, 'description')
  const amount = readAmount(textOf(fields, 'amount'))
  const day = textOf(fields, 'date')
  const errors: FieldErrors<ExpenseField> = {
    ...descriptionErrors(description),
    ...(!amount.ok && { amount: amount.error }),
    ...dateErrors(day),
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
      // If the day is today, the date is not sent, and the database uses the current time.
      ...(day !== expenseDays().last && { date: noonInBogota(day) }),
    },
  }
}
