import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from './statement.ts'

/**
 * Returns a statement's signed totals: opening + income + spending + unlisted = closing. Income and spending cover the
 * transactions in the customer's list, and `unlisted` covers the bank transactions that the customer removed from that
 * list. A corrected transaction and its correction cancel each other and count in no total.
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
