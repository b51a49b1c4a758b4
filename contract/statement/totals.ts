import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Statement } from './statement.ts'

/** Kinds of entries that add or reverse income. Every other kind adds or reverses spending. */
const kindsOfIncome: ReadonlySet<string> = new Set(['deposit', 'deposit_correction'])

/**
 * Returns income and spending of a statement, signed: opening + income + spending = closing. The kind of an entry decides
 * where it counts, not its sign: the reversal of a deleted expense reduces spending and is not income.
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
