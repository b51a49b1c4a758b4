import { useQueryClient } from '@tanstack/react-query'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import { AmountField } from '#ledger/amount-field.tsx'
import { saveMonthlyLimit } from '#ledger/changes.ts'
import { readAmount } from '#ledger/read-amount.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { textOf } from '#ui/form/form-text.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useSubmission } from '#ui/form/use-submission.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'

type Props = { userId: string; limit: number | null; onClose: () => void }

export function BudgetDialog({ userId, limit, onClose }: Props) {
  const client = useQueryClient()
  const { errors, isSending, onSubmit } = useSubmission<number, 'limit'>({
    read: (fields) => {
      const amount = readAmount(textOf(fields, 'limit'))
      return amount.ok
        ? { ok: true, value: numberFromMinor(amount.amountMinor) }
        : { ok: false, errors: { limit: amount.error } }
    },
    send: async (monthlyLimit) => {
      try {
        await saveMonthlyLimit(client, { userId, monthlyLimit })
      } catch (error) {
        logQuietly(error, 'monthly limit update')
        showToast({
          title: dashboardCopy.budgetFailedTitle,
          description: dashboardCopy.budgetFailedText,
          variant: 'destructive',
        })
        return
      }
      showToast({ title: dashboardCopy.budgetSavedTitle })
      onClose()
    },
  })

  return (
    <Dialog
      title={dashboardCopy.budgetTitle}
      description={dashboardCopy.budgetDialogText}
      closeLabel={dashboardCopy.close}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <fieldset disabled={isSending} className="grid gap-5">
          <AmountField
            label={dashboardCopy.monthlyLimit}
            name="limit"
            defaultMinor={limit === null ? null : minorFromDecimal(limit)}
            error={errors.limit}
          />
          <Button type="submit" isBusy={isSending}>
            {dashboardCopy.saveBudget}
          </Button>
        </fieldset>
      </form>
    </Dialog>
  )
}
