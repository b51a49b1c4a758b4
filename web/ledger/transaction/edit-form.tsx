import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Transaction, TransactionWords } from '@finanzas/contract/rows.ts'
import { ownPostingsMaxCode, singleRowCode } from '@finanzas/contract/wire-codes.ts'
import { errorCode, logQuietly } from '#backend/errors.ts'
import { descriptionErrors } from '#ledger/amounts.ts'
import { editTransaction } from '#ledger/changes.ts'
import { ledgerCopy } from '#ledger/copy.ts'
import { filingCopy } from '#ledger/filing/copy.ts'
import { filingQuery, ruleText, rulingOf } from '#ledger/filing/filing.ts'
import { makeRule, offerDurationMs } from '#ledger/filing/offers.ts'
import { Button } from '#ui/button.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { lineOf, rawTextOf, readingOf, textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { showFailure, showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { CategoryField } from './category-field.tsx'
import { transactionCopy } from './copy.ts'

type FieldName = 'description' | 'form'
type Props = { transaction: Transaction; onClose: () => void }

/**
 * The words of a movement, as the form for a new expense has them. The lists show the new ones at once; what was typed
 * stays until the bank has it.
 */
export function EditForm({ transaction, onClose }: Props) {
  const client = useQueryClient()
  const [description, setDescription] = useState(transaction.description)
  const { errors, isSending, onSubmit } = useSubmission<TransactionWords, FieldName, Transaction>({
    read: (fields) => readWords(fields, transaction),
    send: (words) =>
      areSame(words, transaction)
        ? Promise.resolve(transaction)
        : editTransaction(client, transaction, words),
    success: (_, row) =>
      row === transaction
        ? null
        : {
            title: transactionCopy.savedTitle,
            description: row.description,
            action: {
              label: transactionCopy.undo,
              onSelect: () => void undo(client, { edited: row, before: transaction }),
            },
            ...offerOf(client, { edited: row, before: transaction }),
          },
    failure: (error) => {
      logQuietly(error, 'transaction edit')
      const sentence = sentenceFor(error)
      return {
        title: transactionCopy.failedTitle,
        description: sentence,
        errors: { form: sentence },
      }
    },
    onDone: onClose,
  })
  const isOwn = transaction.recorded_by === 'customer'
  return (
    <form noValidate onSubmit={onSubmit}>
      <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
        {isOwn ? (
          <InputField
            label={ledgerCopy.description}
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

type Edit = { edited: Transaction; before: TransactionWords }

/** What was filed elsewhere can always be filed so, unless a rule says it already. */
function offerOf(client: QueryClient, { edited, before }: Edit): Pick<ToastMessage, 'offer' | 'durationMs'> {
  const { user_id: userId, type, category, description } = edited
  const rules = client.getQueryData(filingQuery(userId).queryKey)?.rules ?? []
  const isRuled = rulingOf(rules)(description) === category
  if (type !== 'expense' || category === null || category === before.category || isRuled) return {}
  const words = { contains: ruleText(description), category }
  return {
    durationMs: offerDurationMs,
    offer: {
      label: filingCopy.always(words.contains, category),
      onSelect: () => void makeRule(client, userId, words),
    },
  }
}

/** An edit back, which the journal notes too. */
async function undo(client: QueryClient, { edited, before }: Edit): Promise<void> {
  const { description, category } = before
  try {
    await editTransaction(client, edited, { description, category })
    showToast({ title: transactionCopy.undoneTitle, description })
  } catch (error) {
    logQuietly(error, 'transaction edit undone')
    showFailure({ title: transactionCopy.failedTitle, description: sentenceFor(error) })
  }
}

const sentences: Readonly<Record<string, string>> = {
  [ownPostingsMaxCode]: transactionCopy.tooMany,
  [singleRowCode]: transactionCopy.gone,
}

function sentenceFor(error: unknown): string {
  return sentences[errorCode(error)] ?? transactionCopy.failedText
}

function readWords(fields: FormData, transaction: Transaction): Reading<TransactionWords, FieldName> {
  const category = textOf(fields, 'category') || null
  if (transaction.recorded_by === 'bank') {
    return { ok: true, value: { description: transaction.description, category } }
  }
  // Words that came otherwise than by a form may have blanks that a form would not: untouched they stay.
  const isUntouched = rawTextOf(fields, 'description') === transaction.description
  const description = isUntouched ? transaction.description : lineOf(fields, 'description')
  return readingOf(descriptionErrors(description), { description, category })
}

function areSame(one: TransactionWords, other: TransactionWords): boolean {
  return one.description === other.description && one.category === other.category
}
