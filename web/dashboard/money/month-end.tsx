import { numberFromMinor } from '@finanzas/contract/money.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { Sums } from '#planning/sums/sums.ts'
import { Link } from '#ui/address/link.tsx'

/** These strings are not in copy.ts, because they load with the charts and not with the page. */
const monthEndCopy = {
  expected: (balance: string, payments: number) =>
    `Al final del mes: ${balance}, contando ${payments === 1 ? 'un pago que falta' : `${payments} pagos que faltan`}`,
  none: 'Sin más pagos recurrentes este mes',
  add: 'Añade tus pagos recurrentes',
} as const

/**
 * The balance that is expected at the end of the month, after the remaining recurring payments. If no payments remain,
 * or if the customer does not have recurring payments, a sentence about recurring payments replaces the balance.
 */
export function MonthEnd({ balanceMinor, coming: { payments, amount, recurs } }: Sums) {
  return (
    <p className="-mb-3 text-sm">
      <Link to="/recurrentes" className="inline-block py-3 text-primary hover:underline">
        {payments > 0 ? (
          <MoneyText within={(balance) => monthEndCopy.expected(balance, payments)}>
            {displayedMoney(numberFromMinor(balanceMinor) - amount)}
          </MoneyText>
        ) : recurs ? (
          monthEndCopy.none
        ) : (
          monthEndCopy.add
        )}
      </Link>
    </p>
  )
}
