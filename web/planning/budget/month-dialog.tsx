import { useQueryClient } from '@tanstack/react-query'
import { minorFromDecimal, numberFromMinor } from '@finanzas/contract/money.ts'
import { refusalMessage } from '#api/refusals.ts'
import { AmountField } from '#amounts/amount-field.tsx'
import { displayedMinor, readAmount } from '#amounts/amounts.ts'
import { areAmountsHidden } from '#amounts/money-text.tsx'
import { saveMonthlyLimit } from '#data/changes.ts'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { textOf } from '#ui/form/form.ts'
import { daysLeftIn } from '#ui/format/months.ts'
import { dayInBogota } from '#ui/format/dates.ts'

/** These strings are not in copy.ts, so that the dashboard does not load them. */
const copy = {
  title: 'Presupuesto Mensual',
  text: '¿Cuánto quieres gastar como máximo en un mes?',
  monthlyLimit: 'Límite mensual',
  save: 'Guardar',
  savedTitle: 'Presupuesto actualizado',
  left: (all: string, byDay: string) => `Te quedan ${all} · ${byDay} al día`,
  failedTitle: 'No se pudo guardar el presupuesto',
  failedText: 'Inténtalo de nuevo en un momento.',
} as const

type Props = {
  userId: string
  /** The limit, or a proposal for it, in whole units. */
  limit: number | null
  /** The month's spending, or `null` if it could not be read. */
  spentMinor: number | null
  onClose: () => void
}

export function BudgetDialog({ userId, limit, spentMinor, onClose }: Props) {
  const client = useQueryClient()
  return (
    <FormDialog<number, 'limit'>
      title={copy.title}
      description={copy.text}
      submitLabel={copy.save}
      onClose={onClose}
      read={(fields) => {
        const amount = readAmount(textOf(fields, 'limit'))
        return amount.ok
          ? { ok: true, value: numberFromMinor(amount.amountMinor) }
          : { ok: false, errors: { limit: amount.error } }
      }}
      send={(monthlyLimit) => saveMonthlyLimit(client, { userId, monthlyLimit })}
      success={(monthlyLimit) => ({ title: copy.savedTitle, ...leftOf(monthlyLimit, spentMinor) })}
      failure={(error) =>
        refusalMessage(error, {
          name: 'monthly limit update',
          title: copy.failedTitle,
          refusals: { otherwise: copy.failedText },
        })
      }
    >
      {(errors) => (
        <AmountField
          label={copy.monthlyLimit}
          name="limit"
          defaultMinor={limit === null ? null : minorFromDecimal(limit)}
          error={errors.limit}
        />
      )}
    </FormDialog>
  )
}

/** Returns what is left of the new limit, in all and for each remaining day, unless nothing is left or is known. */
function leftOf(monthlyLimit: number, spentMinor: number | null): { description?: string } {
  if (spentMinor === null) return {}
  const leftMinor = (minorFromDecimal(monthlyLimit) ?? 0) - spentMinor
  if (leftMinor <= 0 || areAmountsHidden()) return {}
  const byDayMinor = Math.floor(leftMinor / daysLeftIn(dayInBogota()))
  return { description: copy.left(displayedMinor(leftMinor), displayedMinor(byDayMinor)) }
}
