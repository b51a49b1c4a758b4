/** Converts the amounts of a file between pesos and dollars, at a rate that the user enters. */
import type { MinorUnits } from '@finanzas/contract/money.ts'

export type Operation = 'divide' | 'multiply'

export type Conversion = {
  readonly operation: Operation
  /** The rate in hundredths, more than zero. */
  readonly rateMinor: MinorUnits
}

/**
 * Returns a positive amount, converted exactly and rounded once to the nearest hundredth. Half a hundredth rounds up. The
 * products exceed 2^53, so they are computed as `bigint`.
 */
export function convert(amountMinor: number, conversion: Conversion | null): number {
  if (conversion === null) return amountMinor
  const amount = BigInt(amountMinor)
  const rate = BigInt(conversion.rateMinor)
  const [above, below] = conversion.operation === 'divide' ? [amount * 100n, rate] : [amount * rate, 100n]
  return Number((2n * above + below) / (2n * below))
}

/** Amounts this many times as large as the customer's own seem to be in another currency. */
const suspectedTimes = 50

/**
 * Returns the operation that seems to be missing, or `null`. If the bank shows dollars, the file seems to be in pesos.
 * If it shows pesos, the file seems to be in dollars.
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

/** Returns the median, or the larger one of the two amounts in the middle. */
function medianOf(amounts: readonly MinorUnits[]): MinorUnits | undefined {
  return amounts.toSorted((one, other) => one - other)[amounts.length >> 1]
}
