import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import {
  amountMinorMax,
  minorFromDecimal,
  numberFromMinor,
  type MinorUnits,
} from '@finanzas/contract/money.ts'
import { configuration } from '#api/configuration.ts'
import { lineError } from '#ui/format/line-error.ts'
import { formatCop, formatCopCompact, formatUsd, formatUsdCompact } from '#ui/format/money.ts'
import { moneyCopy } from './copy.ts'

/**
 * Formats an amount, given in whole units, in the bank's currency. The bank's currency is the dollar unless the
 * operator chose pesos.
 */
export function displayedMoney(value: unknown, currency = configuration().displayCurrency): string {
  return currency === 'COP' ? formatCop(value) : formatUsd(value)
}

export function displayedMinor(minor: number): string {
  return displayedMoney(numberFromMinor(minor as MinorUnits))
}

/** Formats a rounded amount for use where space is limited: `$15K`, `500 mil`. */
export function displayedCompact(minor: number): string {
  return configuration().displayCurrency === 'COP'
    ? formatCopCompact(minor / 100)
    : formatUsdCompact(minor / 100)
}

/** Formats minor units with a sign, even for positive amounts. */
export function signedMinor(minor: number): string {
  return `${minor > 0 ? '+' : ''}${displayedMinor(minor)}`
}

/** Formats a transaction's amount with a sign: `+` for deposits, `-` for all other types. */
export function displayedAmount(transaction: { type: string; amount: number }): string {
  return `${transaction.type === 'deposit' ? '+' : '-'}${displayedMoney(transaction.amount)}`
}

/**
 * Formats a transaction's amount for a screen reader, without separators and symbols, for example `menos 84 dólares
 * 76`.
 */
export function spokenAmount(
  { type, amount }: { type: string; amount: number },
  currency = configuration().displayCurrency,
): string {
  const minor: number = minorFromDecimal(amount) ?? 0
  const whole = Math.floor(minor / 100)
  const { signs, units } = moneyCopy.spoken
  const unit = (currency === 'COP' ? units.COP : units.USD)[whole === 1 ? 0 : 1]
  const hundredths = minor % 100 === 0 ? '' : ` ${String(minor % 100).padStart(2, '0')}`
  return `${type === 'deposit' ? signs.deposit : signs.other} ${whole} ${unit}${hundredths}`
}

/**
 * Returns an amount from the bank's response. Throws if the amount is not readable, because the page must not show it
 * as zero.
 */
export function readMinor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`The bank answered ${amount} for an amount.`)
  return amountMinor
}

export function sumOf(parts: readonly { amountMinor: MinorUnits }[]): MinorUnits {
  return parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0) as MinorUnits
}

/** An amount in minor units, or an error message that explains why the text was refused. */
type ReadAmount =
  | {
      ok: true
      amountMinor: MinorUnits
      /**
       * The separator, if it was interpreted as a thousands separator although it is the decimal separator in the
       * notation of the bank's currency.
       */
      thousands?: '.' | ','
    }
  | { ok: false; error: string }

type Habit = { group: '.' | ','; decimal: '.' | ',' }

/** The two notations that `displayedMoney` uses: $1,900.00, or $ 1.900,00 if the operator chose pesos. */
const dollars: Habit = { group: ',', decimal: '.' }
const pesos: Habit = { group: '.', decimal: ',' }

const signAndFigures =
  /^([+-]?)\s*(?:COP|USD|US)?\s*\$?\s*([\d.,]+)\s*(?:(?:COP|USD|US)?\s*\$?|\$\s*(?:COP|USD)|pesos?|d[oó]lar(?:es)?)$/i
/** An amount with a word or a sign that the notation above does not contain. */
const inOtherCurrency =
  /^[+-]?\s*(\p{Sc}|R\$|[A-Z]{3})?\s*[\d.,]+\s*(\p{Sc}|[A-Z]{3}|euros?|libras|reales|soles)?$/u
const groupingMark = /(\d)[\s'](?=\d{3}(?!\d))/g

/**
 * Parses a typed amount, which may use the grouping of either currency (docs/decisions/0007):
 *
 *     Typed                        dollars     pesos
 *     1,900.00   1.900,00            1,900     1.900    the decimals follow the last separator
 *     1 900      $1900   USD 1900    1,900     1.900
 *     12,5       12.5                12.50     12,50    one or two digits are decimals
 *     1.900      1,900               1,900     1.900    three digits mean thousands. No amount has three decimals
 *     0.001      1234.567          refused   refused    three digits that cannot be thousands
 *
 * A blank or an apostrophe may also separate thousands: `1'234.50`. A pasted amount may have the currency behind it, full
 * width digits or a typographic sign. One side of the decimal separator may be empty, as in `.5` and `5.`. Nothing is rounded. If the amount is not allowed
 * for a transaction, the function returns an error message (security.md MO-02).
 */
export function readAmount(typed: string, currency = configuration().displayCurrency): ReadAmount {
  const text = plainText(typed)
  if (text === '') return refuse(moneyCopy.missingAmount)
  const [, sign, figures = ''] = signAndFigures.exec(text) ?? []
  const [habit, foreign] = currency === 'COP' ? [pesos, dollars] : [dollars, pesos]
  const own = partsOf(figures, habit)
  const other = partsOf(figures, foreign)
  const isThousands = own?.decimals.length === 3 && other?.decimals === ''
  const parts = isThousands ? other : (own ?? other)
  if (parts === null) return refuse(otherCurrency(text) ?? moneyCopy.amountUnreadable)
  const { units, decimals } = parts
  if (decimals.length > 2) return refuse(moneyCopy.amountTooPrecise)
  const amountMinor = minorFromDecimal(decimals === '' ? units : `${units}.${decimals}`)
  if (sign === '-' || amountMinor === 0) return refuse(moneyCopy.amountNotPositive)
  // At this point, the text is known to be a number. `amountMinor` is therefore `null` only if the number has too many
  // digits.
  if (amountMinor === null || amountMinor > amountMinorMax) {
    return refuse(moneyCopy.amountTooLarge(displayedMoney(numberFromMinor(amountMinorMax), currency)))
  }
  return { ok: true, amountMinor, ...(isThousands && { thousands: foreign.group }) }
}

/** Returns the text with the digits and signs of a plain keyboard, and without the marks between thousands. */
function plainText(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll('\u2019', "'")
    .replace(/[\u2212\u2013]/g, '-')
    .replace(groupingMark, '$1')
    .trim()
}

/** Returns a refusal that names the currency of the amount, or `undefined` if the text is not an amount. */
function otherCurrency(text: string): string | undefined {
  const [, before, behind] = inOtherCurrency.exec(text) ?? []
  const word = before ?? behind
  return word && moneyCopy.otherCurrency(moneyCopy.currencies.get(word) ?? word)
}

/**
 * Formats an amount for an input field in the notation of the bank's currency. Omits grouping, the currency sign and
 * decimals that are zero.
 */
export function typedAmount(minor: number, currency = configuration().displayCurrency): string {
  const text = numberFromMinor(minor as MinorUnits).toFixed(minor % 100 === 0 ? 0 : 2)
  return currency === 'COP' ? text.replace('.', pesos.decimal) : text
}

/** Splits a number at the decimal separator, or returns `null` if the number does not match the notation. */
function partsOf(figures: string, { group, decimal }: Habit): { units: string; decimals: string } | null {
  const form = new RegExp(`^(?=.*\\d)(\\d+|[1-9]\\d{0,2}(?:\\${group}\\d{3})+)?(?:\\${decimal}(\\d*))?$`)
  const parts = form.exec(figures)
  if (parts === null) return null
  const [, units = '0', decimals = ''] = parts
  return { units: units.replaceAll(group, ''), decimals }
}

function refuse(error: string): ReadAmount {
  return { ok: false, error }
}

export function descriptionErrors(description: string): { description?: string } {
  if (description === '') return { description: moneyCopy.missingDescription }
  const error = lineError(description, descriptionLengthMax)
  return error === undefined ? {} : { description: error }
}
