import { useQueryClient } from '@tanstack/react-query'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { logQuietly } from '#backend/errors.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { readAmount } from '#ledger/amounts.ts'
import { saveMonthlyLimit } from '#ledger/changes.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { textOf } from '#ui/form/form.ts'

type Props = { userId: string; limit: number | null; onClose: () => void }

export function BudgetDialog({ userId, limit, onClose }: Props) {
  const client = useQueryClient()
  return (
    <FormDialog<number, 'limit'>
      title={dashboardCopy.budgetTitle}
      description={dashboardCopy.budgetDialogText}
      submitLabel={dashboardCopy.saveBudget}
      onClose={onClose}
      read={(fields) => {
        const amount = readAmount(textOf(fields, 'limit'))
        return amount.ok
          ? { ok: true, value: numberFromMinor(amount.amountMinor) }
          : { ok: false, errors: { limit: amount.error } }
      }}
      send={(monthlyLimit) => saveMonthlyLimit(client, { userId, monthlyLimit })}
      success={{ title: dashboardCopy.budgetSavedTitle }}
      failure={(error) => {
        logQuietly(error, 'monthly limit update')
        return { title: dashboardCopy.budgetFailedTitle, description: dashboardCopy.budgetFailedText }
      }}
    >
      {(errors) => (
        <AmountField
          label={dashboardCopy.monthlyLimit}
          name="limit"
          defaultMinor={limit === null ? null : minorFromDecimal(limit)}
          error={errors.limit}
        />
      )}
    </FormDialog>
  )
}
