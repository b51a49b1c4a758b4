/**
 * Represents money as integer minor units. Amounts are decimals in SQL (`numeric`) and in JSON (a number), while
 * TypeScript code adds and compares them in minor units.
 */

/** Integer number of hundredths of the currency's unit, within ±2^53. */
export type MinorUnits = number & { readonly __brand: 'MinorUnits' }

/** The largest amount that one transaction may have: 999,999,999,999.99 (security.md MO-02). */
export const amountMinorMax = 99_999_999_999_999 as MinorUnits

const exactDecimal = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,2}))?$/

/**
 * Converts a decimal number or text with at most two decimals to minor units, without rounding. A JSON number is
 * converted through its shortest decimal text, which is exact below 2^53 minor units. Returns `null` for any other
 * input, such as `NaN`, an exponent, a third decimal, a sign without digits, leading zeros or blanks.
 */
export function minorFromDecimal(decimal: string | number): MinorUnits | null {
  const match = exactDecimal.exec(String(decimal))
  if (match === null) return null
  const [, sign, units, hundredths = ''] = match
  const minor = Number(units) * 100 + Number(hundredths.padEnd(2, '0'))
  if (!Number.isSafeInteger(minor)) return null
  return (sign === '-' && minor !== 0 ? -minor : minor) as MinorUnits
}

/** Formats minor units as decimal text for SQL and JSON, always with two decimals. */
export function decimalFromMinor(minor: MinorUnits): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Converts minor units to a number of whole units, for JSON and for formatting. The number's shortest decimal text is
 * exact up to fifteen digits.
 */
export function numberFromMinor(minor: MinorUnits): number {
  return minor / 100
}

/**
 * Formats decimal text with two decimals in the notation of the currency, without depending on the machine's locale
 * data: `-$1,229.56`, `-$ 1.229,56`. Every amount that a person reads has this form, on the page, on paper and in mail.
 */
export function amountInWords(decimal: string, currency: 'USD' | 'COP'): string {
  const [units = '', hundredths = ''] = decimal.replace('-', '').split('.')
  const [mark, group, point] = currency === 'USD' ? ['$', ',', '.'] : ['$ ', '.', ',']
  return `${decimal.startsWith('-') ? '-' : ''}${mark}${units.replaceAll(/\B(?=(?:\d{3})+$)/g, group)}${point}${hundredths}`
}

/** Returns whether a transaction may have this amount: it must be positive and at most `amountMinorMax`. */
export function isTransactionAmount(minor: MinorUnits | null): minor is MinorUnits {
  return minor !== null && minor > 0 && minor <= amountMinorMax
}
