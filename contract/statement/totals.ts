import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from './statement.ts'

/**
 * Totals of a statement, signed: opening + income + spending + unlisted = closing. Income and spending are those of the
 * customer's list; `unlisted` is the sum of the bank's transactions that the customer removed from it. All totals leave
 * out a corrected mistake and its correction, which cancel each other.
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
