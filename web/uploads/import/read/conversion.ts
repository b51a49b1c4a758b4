/** Converts a file's amounts between pesos and dollars, at an exchange rate that the user enters. */
import type { MinorUnits } from '@finanzas/contract/money.ts'

export type Operation = 'divide' | 'multiply'

export type Conversion = {
  readonly operation: Operation
  /** The exchange rate in hundredths, greater than zero. */
  readonly rateMinor: MinorUnits
}

/**
 * Converts a positive amount exactly, and rounds the result once to the nearest hundredth. Half a hundredth is rounded
 * up. The products may exceed 2^53, so they are computed as `bigint`.
 */
export function convert(amountMinor: number, conversion: Conversion | null): number {
  if (conversion === null) return amountMinor
  const amount = BigInt(amountMinor)
  const rate = BigInt(conversion.rateMinor)
  const [above, below] = conversion.operation === 'divide' ? [amount * 100n, rate] : [amount * rate, 100n]
  return Number((2n * above + below) / (2n * below))
}

/** Amounts that differ from the customer's own amounts by this factor seem to be in another currency. */
const suspectedTimes = 50

/**
 * Returns the conversion that the file's amounts seem to need, or `null`. If the bank's currency is dollars, unusually
 * large amounts seem to be in pesos. If the bank's currency is pesos, unusually small amounts seem to be in dollars.
 */
export function missingOperation(
  file: readonly MinorUnits[],
  own: readonly MinorUnits[],
  currency: string,
): Operation | null {
  const [ofFile, ofOwn] = [medianOf(file), medianOf(own)]
  if (ofFile === undefined || ofOwn === undefined) return null
  if (currency === 'COP') return ofOwn > suspectedTimes * ofFile ? 'multiply' : null
  return ofFile > suspectedTimes * ofOwn ? 'divide' : null
}

/** Returns the median. For an even number of amounts, returns the larger of the two middle amounts. */
function medianOf(amounts: readonly MinorUnits[]): MinorUnits | undefined {
  return amounts.toSorted((one, other) => one - other)[amounts.length >> 1]
}
