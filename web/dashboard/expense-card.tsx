import { useState } from 'react'
import type { NewTransaction, Transaction } from '@finanzas/contract/wire/rows.ts'
import { expenseCopy } from '#money/expense/copy.ts'
import { useExpenseSubmission, type ExpenseField } from '#money/expense/expense.ts'
import { ExpenseFields } from '#money/expense/expense-fields.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { uiCopy } from '#ui/copy.ts'
import { FormEnd } from '#ui/form/field.tsx'
import { useSubmission } from '#ui/form/form.ts'
import { dashboardCopy } from './copy.ts'

/**
 * The dashboard's form for recording an expense, as the specification prescribes it. The form is reset after each
 * expense. On a phone the form is collapsed at first, because a button above the list of transactions opens the same
 * fields without scrolling.
 */
export function ExpenseCard({ userId, className }: { userId: string; className: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const [isInUse, setIsInUse] = useState(false)
  const [added, setAdded] = useState(0)
  const { errors, isRetry, isSending, onSubmit } = useSubmission<NewTransaction, ExpenseField, Transaction>({
    ...useExpenseSubmission(userId),
    onDone: (form) => {
      setAdded((count) => count + 1)
      form.reset()
    },
  })

  return (
    <Card
      title={dashboardCopy.expenseTitle}
      className={className}
      action={
        <Button
          variant="quiet"
          className="-mr-3 sm:hidden"
          aria-expanded={isOpen}
          onClick={() => setIsOpen((open) => !open)}
        >
          {isOpen ? uiCopy.close : expenseCopy.add}
        </Button>
      }
    >
      <form
        noValidate
        onSubmit={onSubmit}
        onFocus={() => setIsInUse(true)}
        className={`p-4 sm:p-6 ${isOpen ? '' : 'max-sm:hidden'}`}
      >
        <fieldset disabled={isSending} className="grid grid-cols-1 gap-4">
          <ExpenseFields key={added} userId={userId} errors={errors} isInUse={isInUse} />
          <FormEnd error={errors.form} isRetry={isRetry} isBusy={isSending}>
            {expenseCopy.add}
          </FormEnd>
        </fieldset>
      </form>
    </Card>
  )
}
