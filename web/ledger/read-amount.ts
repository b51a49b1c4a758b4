import { amountMinorMax, minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { ledgerCopy } from './copy.ts'

/** An amount in minor units, or the sentence that says what is wrong with it. */
export type ReadAmount = { ok: true; amountMinor: MinorUnits } | { ok: false; error: string }

/**
 * Reads what was typed: a point or a comma before the decimals, no grouping. Nothing is rounded; what
 * is not an amount that a transaction may have comes back as a sentence (security.md MO-02).
 */
export function readAmount(typed: string): ReadAmount {
  const decimal = typed.trim().replace(',', '.')
  if (decimal === '') return refuse(ledgerCopy.missingAmount)
  if (/^-?\d+\.\d{3,}$/.test(decimal)) return refuse(ledgerCopy.amountTooPrecise)
  if (/^\d{13,}(\.\d*)?$/.test(decimal)) return refuse(ledgerCopy.amountTooLarge)
  const amountMinor = minorFromDecimal(decimal)
  if (amountMinor === null) return refuse(ledgerCopy.amountUnreadable)
  if (amountMinor <= 0) return refuse(ledgerCopy.amountNotPositive)
  if (amountMinor > amountMinorMax) return refuse(ledgerCopy.amountTooLarge)
  return { ok: true, amountMinor }
}

function refuse(error: string): ReadAmount {
  return { ok: false, error }
}
