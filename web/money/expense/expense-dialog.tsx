import type { NewTransaction, Transaction } from '@finanzas/contract/wire/rows.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { expenseCopy as copy } from './copy.ts'
import { useExpenseSubmission, type ExpenseField } from './expense.ts'
import { ExpenseFields } from './expense-fields.tsx'

/** Dialog for recording one of the customer's expenses. The user can open the dialog on every page. */
export function ExpenseDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  return (
    <FormDialog<NewTransaction, ExpenseField, Transaction>
      title={copy.add}
      submitLabel={copy.add}
      className="grid-cols-1"
      onClose={onClose}
      {...useExpenseSubmission(userId)}
    >
      {(errors) => <ExpenseFields userId={userId} errors={errors} isInUse />}
    </FormDialog>
  )
}
