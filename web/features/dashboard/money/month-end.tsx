import { numberFromMinor } from '@finanzas/contract/money.ts'
import { displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import type { Sums } from '#ledger/sums/sums.ts'
import { Link } from '#ui/address/link.tsx'

/** It comes with the pictures, not with the page. */
const monthEndCopy = {
  expected: (balance: string, payments: number) =>
    `Al final del mes: ${balance}, contando ${payments === 1 ? 'un pago que falta' : `${payments} pagos que faltan`}`,
  none: 'Sin más pagos recurrentes este mes',
} as const

/** What is left at the end of the month once what recurs is paid; without any left, the sums do not tell whether anything recurs. */
export function MonthEnd({ balanceMinor, coming: { payments, amount } }: Sums) {
  return (
    <p className="-mb-3 text-sm">
      <Link to="/recurrentes" className="inline-block py-3 text-primary hover:underline">
        {payments === 0 ? (
          monthEndCopy.none
        ) : (
          <MoneyText within={(balance) => monthEndCopy.expected(balance, payments)}>
            {displayedMoney(numberFromMinor(balanceMinor) - amount)}
          </MoneyText>
        )}
      </Link>
    </p>
  )
}
