/**
 * Money as integer minor units. Amounts are decimals in SQL (`numeric`) and on the wire (a JSON number); TypeScript adds and
 * compares them in minor units.
 */

/** Hundredths of the currency's unit, an integer within ±2^53. */
export type MinorUnits = number & { readonly __brand: 'MinorUnits' }

/** The largest amount of one transaction: 999,999,999,999.99 (security.md MO-02). */
export const amountMinorMax = 99_999_999_999_999 as MinorUnits

const exactDecimal = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,2}))?$/

/**
 * Reads a decimal with at most two decimals, exactly.
 * A JSON number is read through its shortest text, which is exact below 2^53 minor units.
 * Returns `null` for anything else: `NaN`, exponents, three decimals, signs without digits, leading zeros, blanks.
 */
export function minorFromDecimal(decimal: string | number): MinorUnits | null {
  const match = exactDecimal.exec(String(decimal))
  if (match === null) return null
  const [, sign, units, hundredths = ''] = match
  const minor = Number(units) * 100 + Number(hundredths.padEnd(2, '0'))
  if (!Number.isSafeInteger(minor)) return null
  return (sign === '-' && minor !== 0 ? -minor : minor) as MinorUnits
}

/** Formats minor units as decimal text for SQL and the wire, always with two decimals. */
export function decimalFromMinor(minor: MinorUnits): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Returns minor units as a number of whole units, for JSON and formatting. The shortest text of the number is exact up to
 * fifteen digits.
 */
export function numberFromMinor(minor: MinorUnits): number {
  return minor / 100
}

/** Returns whether a transaction may have the amount: positive, and at most the maximum. */
export function isTransactionAmount(minor: MinorUnits | null): minor is MinorUnits {
  return minor !== null && minor > 0 && minor <= amountMinorMax
}
