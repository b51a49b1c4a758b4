import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  administratorExpenseCategory,
  depositCategory,
  expenseCategories,
} from '@finanzas/contract/categories.ts'
import { categoryLengthMax } from '@finanzas/contract/limits.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { conflictCode, singleRowCode, takenKeyCode } from '#api/error-codes.ts'
import { refusalMessage, type Refusals } from '#api/refusals.ts'
import { fold } from '#ui/format/text.ts'
import { InputField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { lineOf, type Reading } from '#ui/form/form.ts'
import { addCategory, renameCategory } from './category-calls.ts'
import { formatCopy } from '#ui/format/copy.ts'
import { categoriesCopy as copy } from './page-copy.ts'

type Props = {
  userId: string
  /** Names that already exist. */
  own: readonly string[]
  /** The category to rename, with the number of its transactions. */
  renamed?: { name: string; movements: number }
  onClose: () => void
}

/**
 * Names that lists show for the bank's entries and for transactions without a category. A customer cannot use these
 * names, because the customer's category would look like the bank's own.
 */
const bankWords = [depositCategory, administratorExpenseCategory, ...copy.bankWords]

/** Dialog that creates a category or renames an existing category. */
export function NameDialog({ userId, own, renamed, onClose }: Props) {
  const client = useQueryClient()
  const [before] = useState(renamed?.name)
  const isNew = before === undefined
  const failedTitle = isNew ? copy.addFailedTitle : copy.renameFailedTitle
  return (
    <FormDialog<string, 'name'>
      title={isNew ? copy.add : copy.renameTitle}
      description={renamed && copy.renameText(renamed.movements)}
      submitLabel={copy.save}
      onClose={onClose}
      read={(fields) => readName(fields, { own, before })}
      send={async (name) => {
        if (isNew) await addCategory(client, userId, name)
        else if (name !== before) await renameCategory(client, userId, { name: before, newName: name })
      }}
      success={(name) => ({ title: isNew ? copy.addedTitle : copy.renamedTitle, description: name })}
      failure={(error) => {
        const refusal = refusalMessage(error, { name: 'category', title: failedTitle, refusals })
        return { ...refusal, errors: { name: refusal.description } }
      }}
    >
      {(errors) => (
        <InputField
          label={copy.name}
          name="name"
          autoComplete="off"
          defaultValue={before ?? ''}
          error={errors.name}
        />
      )}
    </FormDialog>
  )
}

const refusals: Refusals = {
  [takenKeyCode]: copy.takenName,
  // The name has already been validated, so this error can only mean that the customer has too many categories.
  23514: copy.tooMany,
  [conflictCode]: copy.tooManyMovements,
  [singleRowCode]: copy.goneCategory,
  otherwise: copy.failedText,
}

type Names = { own: readonly string[]; before: string | undefined }

function readName(fields: FormData, { own, before }: Names): Reading<string, 'name'> {
  const name = lineOf(fields, 'name')
  const isIn = (names: readonly string[]) => names.some((other) => fold(other) === fold(name))
  if (name === before) return { ok: true, value: name }
  const error =
    name === '' || !isPlainLine(name)
      ? copy.missingName
      : [...name].length > categoryLengthMax
        ? formatCopy.longText(categoryLengthMax)
        : isIn([...expenseCategories, ...own.filter((other) => other !== before)])
          ? copy.takenName
          : isIn(bankWords)
            ? copy.bankWord
            : undefined
  return error === undefined ? { ok: true, value: name } : { ok: false, errors: { name: error } }
}
