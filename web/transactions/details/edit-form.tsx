import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { numberFromMinor, minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Transaction, TransactionValues } from '@finanzas/contract/rows.ts'
import {
  missingRowCode,
  ownBalanceMinCode,
  ownPostingsMaxCode,
  singleRowCode,
} from '@finanzas/contract/wire-codes.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { dayInBogota, noonInBogota } from '#format/dates.ts'
import { AmountField } from '#money/amount-field.tsx'
import { descriptionErrors, displayedMoney, readAmount } from '#money/amounts.ts'
import { useAmountsHidden } from '#money/money-text.tsx'
import { expenseCopy } from '#transactions/expense/copy.ts'
import { dateErrors, expenseDays } from '#transactions/expense/expense-days.ts'
import { editTransaction } from '#ledger/changes.ts'
import { moneyCopy } from '#money/copy.ts'
import { ruleCopy } from '#categorization/rule-copy.ts'
import { categorizationQuery, ruleText, rulingOf } from '#categorization/rules.ts'
import { makeRule } from '#categorization/rule-toasts.ts'
import { readFirstWords } from '#categorization/rule-calls.ts'
import { Button } from '#ui/button.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { lineOf, rawTextOf, textOf, useSubmission, type FieldErrors, type Reading } from '#ui/form/form.ts'
import { showFailure, showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { CategoryField } from '#categorization/category-field.tsx'
import { transactionCopy } from './copy.ts'

type FieldName = 'amount' | 'date' | 'description'
type Props = { transaction: Transaction; onClose: () => void }

/**
 * Form for the values of a transaction that the customer may change. The lists show the new values at once, while the form keeps
 * the typed text until the bank confirms it.
 */
export function EditForm({ transaction, onClose }: Props) {
  const client = useQueryClient()
  const [description, setDescription] = useState(transaction.description)
  const [openedAt] = useState(Date.now)
  const { errors, isSending, onSubmit } = useSubmission<TransactionValues, FieldName, Saved | null>({
    read: (fields) => readValues(fields, transaction, openedAt),
    send: (values) =>
      areSame(values, transaction) ? Promise.resolve(null) : save(client, transaction, values),
    success: (_, saved) =>
      saved && {
        title: transactionCopy.savedTitle,
        description: saved.edited.description,
        action: {
          label: transactionCopy.undo,
          onSelect: () => void undo(client, { edited: saved.edited, before: transaction }),
        },
        ...offerOf(client, saved),
      },
    failure: (error) => {
      logQuietly(error, 'transaction edit')
      return { title: transactionCopy.failedTitle, description: sentenceFor(error) }
    },
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
            <p className="font-medium wrap-anywhere">{transaction.description}</p>
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
 * `firstWords` is the transaction's original description, or `null` if the edit suggests no rule or the description
 * could not be read.
 */
type Saved = { edited: Transaction; firstWords: string | null }

async function save(client: QueryClient, before: Transaction, words: TransactionValues): Promise<Saved> {
  const isFiled = before.type === 'expense' && words.category !== null && words.category !== before.category
  const [edited, firstWords] = await Promise.all([
    editTransaction(client, before, words),
    isFiled ? readFirstWords(before).catch(quietly) : null,
  ])
  return { edited, firstWords }
}

function quietly(error: unknown): null {
  logQuietly(error, 'first words of a transaction')
  return null
}

/** Offers a rule for a changed category, unless a rule already says the same. */
function offerOf(client: QueryClient, { edited, firstWords }: Saved): Pick<ToastMessage, 'offer'> {
  const { user_id: userId, category } = edited
  if (firstWords === null || category === null) return {}
  const rules = client.getQueryData(categorizationQuery(userId).queryKey)?.rules ?? []
  if (rulingOf(rules)(firstWords) === category) return {}
  const words = { contains: ruleText(firstWords), category }
  return {
    offer: {
      label: ruleCopy.always(words.contains, category),
      onSelect: () => void makeRule(client, userId, words),
    },
  }
}

type Edit = { edited: Transaction; before: TransactionValues }

/** Undoes an edit by another one, which the journal also records. */
async function undo(client: QueryClient, { edited, before }: Edit): Promise<void> {
  const { amount, date, description, category } = before
  try {
    await editTransaction(client, edited, { amount, date, description, category })
    showToast({ title: transactionCopy.undoneTitle, description })
  } catch (error) {
    logQuietly(error, 'transaction edit undone')
    showFailure({ title: transactionCopy.failedTitle, description: sentenceFor(error) })
  }
}

const sentences: Readonly<Record<string, string>> = {
  [ownPostingsMaxCode]: transactionCopy.tooMany,
  [ownBalanceMinCode]: expenseCopy.balanceTooLow,
  [singleRowCode]: transactionCopy.gone,
  [missingRowCode]: transactionCopy.gone,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? transactionCopy.failedText
}

/**
 * Reads the form. An untouched date keeps its time. Any other day has its noon, or the time at which the form was opened
 * if that is earlier: a second attempt then sends the same values.
 */
function readValues(
  fields: FormData,
  transaction: Transaction,
  openedAt: number,
): Reading<TransactionValues, FieldName> {
  const category = textOf(fields, 'category') || null
  if (transaction.recorded_by === 'bank') return { ok: true, value: { ...transaction, category } }
  const amount = readAmount(textOf(fields, 'amount'))
  const day = textOf(fields, 'date')
  const isDayKept = day === dayInBogota(new Date(transaction.date))
  // A description that did not come from a form may contain blanks that a form removes. An untouched description
  // is sent unchanged.
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
  return { ok: true, value: { amount: numberFromMinor(amount.amountMinor), date, description, category } }
}

const columns = ['amount', 'date', 'description', 'category'] as const

function areSame(one: TransactionValues, other: TransactionValues): boolean {
  return columns.every((column) => one[column] === other[column])
}
