import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

export type BankSums = {
  customers: number
  /**
   * Sum of the positive balances (`owedMinor`), and sum of the negative balances. Both sums omit the customers' own
   * notes.
   */
  owedMinor: MinorUnits
  overdrawnMinor: MinorUnits
  /** Sum of all balances. The customers' own notes lower this sum. */
  totalMinor: MinorUnits
  /**
   * Sum of the customers' own notes, which is zero or negative. The sum of all balances minus this sum is the amount
   * that the bank has posted.
   */
  notedMinor: MinorUnits
  /** The last days (`2026-11-20`), ending with today. */
  days: readonly BankDay[]
}

/** The sums that came in and went out on a day, and the debt at its end. Notes of customers do not count. */
export type BankDay = { day: string; inMinor: MinorUnits; outMinor: MinorUnits; owedMinor: MinorUnits }

export const bankQuery = queryOptions({
  // This key starts with the key of the user queries, so that creating or deleting a user also refetches the sum.
  queryKey: ['users', 'bank'],
  queryFn: async ({ signal }): Promise<BankSums> => {
    const client = await backend()
    const sums = unwrap(await client.rpc('sum_bank').abortSignal(signal))
    return {
      customers: sums.customers,
      owedMinor: minor(sums.owed),
      totalMinor: minor(sums.total),
      overdrawnMinor: minor(sums.overdrawn),
      notedMinor: minor(sums.noted),
      days: sums.days.map(({ day, came_in, went_out, owed }) => ({
        day,
        inMinor: minor(came_in),
        outMinor: minor(went_out),
        owedMinor: minor(owed),
      })),
    }
  },
})

/** Converts a sum to minor units. Throws if the sum is too large to be represented in exact hundredths. */
function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`sum_bank answered ${amount} for an amount.`)
  return amountMinor
}
