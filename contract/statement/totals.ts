import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from './statement.ts'

/** Kinds of entries that are income, or that take income back. Every other kind is spending, or takes spending back. */
const kindsOfIncome: ReadonlySet<string> = new Set(['deposit', 'deposit_correction'])

/**
 * Income and spending of a statement, signed: opening + income + spending = closing. The kind of an entry decides, not
 * its sign: the reversal of a deleted expense is not income, and both totals are as if the expense had never existed.
 */
export function totalsOf({ rows }: Pick<Statement, 'rows'>): {
  incomeMinor: MinorUnits
  spendingMinor: MinorUnits
} {
  const sum = (isIncome: boolean) =>
    rows.reduce(
      (total, { kind, amountMinor }) => (kindsOfIncome.has(kind) === isIncome ? total + amountMinor : total),
      0,
    ) as MinorUnits
  return { incomeMinor: sum(true), spendingMinor: sum(false) }
}
