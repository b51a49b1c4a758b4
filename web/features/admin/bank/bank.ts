import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

export type BankSums = {
  customers: number
  /** The sum of the balances above zero, of those below it, and of both. */
  owedMinor: MinorUnits
  overdrawnMinor: MinorUnits
  totalMinor: MinorUnits
  /** The sum of all balances at the end of each day, `2026-11-20`; the last one is today. */
  days: readonly { day: string; totalMinor: MinorUnits }[]
}

export const bankQuery = queryOptions({
  // A key below that of the users: the sum is read again whenever a user is created or deleted.
  queryKey: ['users', 'bank'],
  queryFn: async ({ signal }): Promise<BankSums> => {
    const client = await backend()
    const sums = unwrap(await client.rpc('sum_bank').abortSignal(signal))
    return {
      customers: sums.customers,
      owedMinor: minor(sums.owed),
      totalMinor: minor(sums.total),
      overdrawnMinor: minor(sums.overdrawn),
      days: sums.days.map(({ day, total }) => ({ day, totalMinor: minor(total) })),
    }
  },
})

/** Throws for a sum of all customers that is too large for exact hundredths. */
function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`sum_bank answered ${amount} for an amount.`)
  return amountMinor
}
