import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Transaction, TransactionWords } from '@finanzas/contract/rows.ts'
import { ownPostingsMaxCode, singleRowCode } from '@finanzas/contract/wire-codes.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { logQuietly } from '#backend/errors.ts'
import { descriptionErrors } from '#money/amounts.ts'
import { editTransaction } from '#ledger/changes.ts'
import { moneyCopy } from '#money/copy.ts'
import { ruleCopy } from '#categorization/rule-copy.ts'
import { categorizationQuery, ruleText, rulingOf } from '#categorization/rules.ts'
import { makeRule } from '#categorization/rule-toasts.ts'
import { readFirstWords } from '#categorization/rule-calls.ts'
import { Button } from '#ui/button.tsx'
import { FormError, InputField } from '#ui/form/field.tsx'
import { lineOf, rawTextOf, readingOf, textOf, useSubmission, type Reading } from '#ui/form/form.ts'
import { showFailure, showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { CategoryField } from '#categorization/category-field.tsx'
import { transactionCopy } from './copy.ts'

type FieldName = 'description'
type Props = { transaction: Transaction; onClose: () => void }

/**
 * Form for the description and category of a transaction. The lists show the new values at once, while the form keeps
 * the typed text until the bank confirms it.
 */
export function EditForm({ transaction, onClose }: Props) {
  const client = useQueryClient()
  const [description, setDescription] = useState(transaction.description)
  const { errors, isSending, onSubmit } = useSubmission<TransactionWords, FieldName, Saved | null>({
    read: (fields) => readWords(fields, transaction),
    send: (words) => (areSame(words, transaction) ? Promise.resolve(null) : save(client, transaction, words)),
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

/**
 * `firstWords` is the transaction's original description, or `null` if the edit suggests no rule or the description
 * could not be read.
 */
type Saved = { edited: Transaction; firstWords: string | null }

async function save(client: QueryClient, before: Transaction, words: TransactionWords): Promise<Saved> {
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

type Edit = { edited: Transaction; before: TransactionWords }

/** Undoes an edit by another one, which the journal also records. */
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
  // A description that did not come from a form may contain blanks that a form removes. An untouched description
  // is sent unchanged.
  const isUntouched = rawTextOf(fields, 'description') === transaction.description
  const description = isUntouched ? transaction.description : lineOf(fields, 'description')
  return readingOf(descriptionErrors(description), { description, category })
}

function areSame(one: TransactionWords, other: TransactionWords): boolean {
  return one.description === other.description && one.category === other.category
}
