import { useQueryClient } from '@tanstack/react-query'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { logQuietly } from '#backend/errors.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { saveMonthlyLimit } from '#ledger/changes.ts'
import { readAmount } from '#ledger/read-amount.ts'
import { DialogForm } from '#ui/form/dialog-form.tsx'
import { textOf, useSubmission } from '#ui/form/form.ts'

type Props = { userId: string; limit: number | null; onClose: () => void }

export function BudgetDialog({ userId, limit, onClose }: Props) {
  const client = useQueryClient()
  const form = useSubmission<number, 'limit'>({
    read: (fields) => {
      const amount = readAmount(textOf(fields, 'limit'))
      return amount.ok
        ? { ok: true, value: numberFromMinor(amount.amountMinor) }
        : { ok: false, errors: { limit: amount.error } }
    },
    send: (monthlyLimit) => saveMonthlyLimit(client, { userId, monthlyLimit }),
    success: { title: dashboardCopy.budgetSavedTitle },
    failure: (error) => {
      logQuietly(error, 'monthly limit update')
      return { title: dashboardCopy.budgetFailedTitle, description: dashboardCopy.budgetFailedText }
    },
    onDone: onClose,
  })

  return (
    <DialogForm
      form={form}
      title={dashboardCopy.budgetTitle}
      description={dashboardCopy.budgetDialogText}
      closeLabel={dashboardCopy.close}
      submitLabel={dashboardCopy.saveBudget}
      onClose={onClose}
    >
      <AmountField
        label={dashboardCopy.monthlyLimit}
        name="limit"
        defaultMinor={limit === null ? null : minorFromDecimal(limit)}
        error={form.errors.limit}
      />
    </DialogForm>
  )
}
