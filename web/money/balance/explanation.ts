import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { dataKeys } from '#data/queries.ts'

/**
 * Explanation of the balance at a point in time. The sums by kind add up to the balance. The bank's postings
 * (`bookedMinor`) and the customer's own notes (`notedMinor`) also add up to the balance. All amounts are signed minor
 * units.
 */
export type BalanceExplanation = {
  balanceMinor: MinorUnits
  openingMinor: MinorUnits
  depositsMinor: MinorUnits
  expensesMinor: MinorUnits
  correctionsMinor: MinorUnits
  bookedMinor: MinorUnits
  notedMinor: MinorUnits
  /**
   * Ids of the corrected transactions and of the corrections that reverse them. These transactions cancel each other,
   * and all of them count as corrections.
   */
  voidIds: readonly string[]
  entries: number
  last: { kind: string; recordedAt: string } | null
}

export function explanationQuery(userId: string) {
  return queryOptions({
    queryKey: [...dataKeys.refetchedOnChange(userId), 'explanation'],
    queryFn: async ({ signal }): Promise<BalanceExplanation> => {
      const client = await backend()
      const row = unwrap(await client.rpc('explain_balance').abortSignal(signal))
      return explanationOf(row)
    },
  })
}

type ExplanationRow = Database['public']['Functions']['explain_balance']['Returns']

export function explanationOf(row: ExplanationRow): BalanceExplanation {
  return {
    balanceMinor: minor(row.balance),
    openingMinor: minor(row.opening),
    depositsMinor: minor(row.deposits),
    expensesMinor: minor(row.expenses),
    correctionsMinor: minor(row.corrections),
    bookedMinor: minor(row.booked),
    notedMinor: minor(row.noted),
    voidIds: row.void_ids,
    entries: row.entries,
    last:
      row.last_kind === null || row.last_recorded_at === null
        ? null
        : { kind: row.last_kind, recordedAt: row.last_recorded_at },
  }
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`explain_balance answered ${amount} for an amount.`)
  return amountMinor
}
