/**
 * Saves the edit of a transaction, together with the rule that the edit may create. One toast reports the edit and the
 * rule, and offers to undo both.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { Transaction, TransactionValues } from '@finanzas/contract/wire/rows.ts'
import { missingRowCode, ownBalanceMinCode, ownPostingsMaxCode, singleRowCode } from '#api/error-codes.ts'
import { showRefusal, type Refusals } from '#api/refusals.ts'
import { ruleForGood } from '#categories/rule-calls.ts'
import { ruleCopy } from '#categories/rule-copy.ts'
import { editTransaction } from '#data/changes.ts'
import { expenseCopy } from '#money/expense/copy.ts'
import { showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { transactionCopy } from './copy.ts'

/**
 * The new values, and the text of the rule that applies the new category to similar expenses. If the text is empty, no
 * rule is created.
 */
export type Edit = { values: TransactionValues; ruleText: string }

/**
 * Saves an edit. Returns the toast to show, or `null` if nothing was changed. A repeated call does not have a further
 * effect.
 */
export async function saveEdit(
  client: QueryClient,
  before: Transaction,
  { values, ruleText }: Edit,
): Promise<ToastMessage | null> {
  const { user_id: userId } = before
  const { category } = values
  const changed = (Object.keys(values) as (keyof TransactionValues)[]).filter(
    (column) => values[column] !== before[column],
  )
  const isEdited = changed.length > 0
  const isRuled = ruleText !== '' && category !== null
  if (!isEdited && !isRuled) return null
  const edited = isEdited ? await editTransaction(client, before, only(changed, values)) : before
  const rule = isRuled ? await ruleForGood(client, userId, { contains: ruleText, category }) : null
  const undo = async () => {
    await rule?.undo()
    if (isEdited) await editTransaction(client, edited, only(changed, before))
  }
  return {
    title: transactionCopy.savedTitle,
    description: rule === null ? edited.description : ruleCopy.ruled(ruleText, category ?? '', rule.changed),
    action: { label: transactionCopy.undo, onSelect: () => void announceUndo(undo, before) },
  }
}

/** Returns the values of the chosen columns. */
function only(
  chosen: readonly (keyof TransactionValues)[],
  values: TransactionValues,
): Partial<TransactionValues> {
  return Object.fromEntries(chosen.map((column) => [column, values[column]]))
}

async function announceUndo(undo: () => Promise<void>, { description }: Transaction): Promise<void> {
  try {
    await undo()
    showToast({ title: transactionCopy.undoneTitle, description })
  } catch (error) {
    showRefusal(error, editing)
  }
}

const refusals: Refusals = {
  [ownPostingsMaxCode]: transactionCopy.tooMany,
  [ownBalanceMinCode]: expenseCopy.balanceTooLow,
  [singleRowCode]: transactionCopy.gone,
  [missingRowCode]: transactionCopy.gone,
  otherwise: transactionCopy.failedText,
}

/** The call that saves an edit, for `showRefusal` and `refusalMessage`. */
export const editing = { name: 'transaction edit', title: transactionCopy.failedTitle, refusals }
