import { numberFromMinor, type MinorUnits } from '@finanzas/contract/money.ts'
import { configuration } from '#backend/configuration.ts'
import { formatCop, formatUsd } from '#format/money.ts'

/** An amount in whole units as this bank's customers see it: dollars, unless the operator chose pesos. */
export function displayedMoney(value: unknown): string {
  return configuration().displayCurrency === 'COP' ? formatCop(value) : formatUsd(value)
}

/** The same of hundredths. */
export function displayedMinor(minor: number): string {
  return displayedMoney(numberFromMinor(minor as MinorUnits))
}

/** Hundredths with their sign as text, `+` too. */
export function signedMinor(minor: number): string {
  return `${minor > 0 ? '+' : ''}${displayedMinor(minor)}`
}

/** The amount of a transaction with its sign as text: `+` for deposits, `-` for everything else. */
export function displayedAmount(transaction: { type: string; amount: number }): string {
  return `${transaction.type === 'deposit' ? '+' : '-'}${displayedMoney(transaction.amount)}`
}
