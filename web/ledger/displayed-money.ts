import { configuration } from '#backend/configuration.ts'
import { formatCop, formatUsd } from '#format/money.ts'

/** An amount in whole units as this bank's customers see it: dollars, unless the operator chose pesos. */
export function displayedMoney(value: unknown): string {
  return configuration().displayCurrency === 'COP' ? formatCop(value) : formatUsd(value)
}

/** The amount of a transaction with its sign as text: `+` for deposits, `-` for everything else. */
export function displayedAmount(transaction: { type: string; amount: number }): string {
  return `${transaction.type === 'deposit' ? '+' : '-'}${displayedMoney(transaction.amount)}`
}
