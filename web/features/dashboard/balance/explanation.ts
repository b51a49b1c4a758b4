import { queryOptions } from '@tanstack/react-query'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { ledgerKeys } from '#ledger/queries.ts'

/** Why the balance is what it is, of one moment: the parts add up to it. Signed minor units. */
export type BalanceExplanation = {
  balanceMinor: MinorUnits
  openingMinor: MinorUnits
  depositsMinor: MinorUnits
  expensesMinor: MinorUnits
  correctionsMinor: MinorUnits
  /** How many entries the journal has. */
  entries: number
  /** `null` while there is none. */
  last: { kind: string; recordedAt: string } | null
}

/** Read again whenever the balance is. */
export function explanationQuery(userId: string) {
  return queryOptions({
    queryKey: [...ledgerKeys.summary(userId), 'explanation'],
    queryFn: async ({ signal }): Promise<BalanceExplanation> => {
      const client = await backend()
      const told = unwrap(await client.rpc('explain_balance').abortSignal(signal))
      return {
        balanceMinor: minor(told.balance),
        openingMinor: minor(told.opening),
        depositsMinor: minor(told.deposits),
        expensesMinor: minor(told.expenses),
        correctionsMinor: minor(told.corrections),
        entries: told.entries ?? 0,
        last:
          told.last_kind === null || told.last_recorded_at === null
            ? null
            : { kind: told.last_kind, recordedAt: told.last_recorded_at },
      }
    },
  })
}

function minor(amount: number | null): MinorUnits {
  const amountMinor = amount === null ? null : minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`explain_balance answered ${amount} for an amount.`)
  return amountMinor
}
