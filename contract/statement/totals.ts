import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from './statement.ts'

/**
 * Totals of a statement, signed: opening + income + spending + unlisted = closing. Income and spending are the sums of
 * the customer's list; `unlisted` is the sum of the transactions that the customer removed from the list. A corrected
 * mistake and its correction count in no total, because they cancel.
 */
export function totalsOf({ rows }: Pick<Statement, 'rows'>): {
  incomeMinor: MinorUnits
  spendingMinor: MinorUnits
  unlistedMinor: MinorUnits
} {
  const sum = (counted: string) =>
    rows.reduce(
      (total, { kind, amountMinor }) => (kind === counted ? total + amountMinor : total),
      0,
    ) as MinorUnits
  return { incomeMinor: sum('deposit'), spendingMinor: sum('expense'), unlistedMinor: sum('unlisted') }
}
