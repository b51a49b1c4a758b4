/** The facts and the notation that a paper and the result of its verification share. */
import { type MinorUnits, amountInWords, decimalFromMinor } from '@finanzas/contract/money.ts'
import { statementCopy as copy } from './copy.ts'
import { particularLabels } from './particulars.ts'
import type { Issued, Statement } from './statement.ts'

/**
 * Returns the facts about the account and its holder. If the account number is known, the number replaces the account's
 * id.
 */
export function holderFacts({
  customer,
  account,
  particulars,
}: Pick<Issued, 'customer' | 'particulars'> & Pick<Statement, 'account'>): (readonly [string, string])[] {
  const { document, accountNumber } = particulars ?? {}
  return [
    [copy.customer, customer] as const,
    ...(document === undefined ? [] : [[particularLabels.document, document] as const]),
    accountNumber === undefined
      ? ([copy.account, account] as const)
      : ([particularLabels.accountNumber, accountNumber] as const),
  ]
}

export function money(minor: MinorUnits, { currency }: Pick<Statement, 'currency'>): string {
  return amountInWords(decimalFromMinor(minor), currency)
}

/** Formats an amount with its sign, as the history does: `+$2,900.00`. */
export function signedMoney(minor: MinorUnits, bank: Pick<Statement, 'currency'>): string {
  return `${minor > 0 ? '+' : ''}${money(minor, bank)}`
}

/** `2 nov 2026`, `2 nov` */
export function dayInWords(day: string, hasYear = true): string {
  const month = copy.monthsShort[Number(day.slice(5, 7)) - 1]
  return `${Number(day.slice(8, 10))} ${month}${hasYear ? ` ${day.slice(0, 4)}` : ''}`
}

/** Formats a time of a paper: `2 nov 2026, 14:20`. */
export function timeInWords(time: string): string {
  return `${dayInWords(time)}, ${time.slice(11)}`
}
