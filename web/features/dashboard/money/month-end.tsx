import { queryOptions, useQuery } from '@tanstack/react-query'
import { numberFromMinor } from '@finanzas/contract/money.ts'
import { unwrap } from '#backend/unwrap.ts'
import { displayedMoney } from '#ledger/amounts.ts'
import { readingClient } from '#ledger/listening.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { keptOffline, ledgerKeys } from '#ledger/queries.ts'
import type { Sums } from '#ledger/sums/sums.ts'
import { useUser } from '#session/session.ts'
import { Link } from '#ui/address/link.tsx'

/** It comes with the pictures, not with the page. */
const monthEndCopy = {
  expected: (balance: string, payments: number) =>
    `Al final del mes: ${balance}, contando ${payments === 1 ? 'un pago que falta' : `${payments} pagos que faltan`}`,
  none: 'Sin más pagos recurrentes este mes',
  add: 'Añade tus pagos recurrentes',
} as const

/** What is left at the end of the month once what recurs is paid; where nothing is left to be paid, or recurs at all, that. */
export function MonthEnd({ balanceMinor, coming: { payments, amount } }: Sums) {
  const { id } = useUser()
  const { data: hasAny, isLoading } = useQuery({ ...hasRecurringQuery(id), enabled: payments === 0 })
  return (
    <p className={`-mb-3 text-sm ${isLoading ? 'invisible' : ''}`}>
      <Link to="/recurrentes" className="inline-block py-3 text-primary hover:underline">
        {payments > 0 ? (
          <MoneyText within={(balance) => monthEndCopy.expected(balance, payments)}>
            {displayedMoney(numberFromMinor(balanceMinor) - amount)}
          </MoneyText>
        ) : hasAny === false ? (
          monthEndCopy.add
        ) : (
          monthEndCopy.none
        )}
      </Link>
    </p>
  )
}

/** Whether anything recurs: the sums have only what is still to be paid. */
function hasRecurringQuery(userId: string) {
  return queryOptions({
    ...keptOffline,
    queryKey: [...ledgerKeys.summary(userId), 'has-recurring'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const client = await readingClient()
      const live = client
        .from('recurring_expenses')
        .select('id')
        .eq('user_id', userId)
        .in('status', ['active', 'paused'])
      return unwrap(await live.limit(1).abortSignal(signal)).length > 0
    },
  })
}
