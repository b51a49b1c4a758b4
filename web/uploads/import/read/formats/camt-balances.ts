/** Compares the balances of a camt statement with its booked entries. */
import { decimalFromMinor, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Row } from '#uploads/table.ts'
import { ending, signedMinorOf, statusOf, type Entry } from './camt-element.ts'

/** The balances of a statement, and the sum of its booked entries in minor units. `null` if it is not known. */
export type Balances = { sum: number | null; opening: Balance | null; closing: Balance | null }
type Balance = { readonly line: number; readonly minor: number | null; readonly currency: string }

export function noBalances(): Balances {
  return { sum: 0, opening: null, closing: null }
}

export function noteBalance(statement: Balances, { line, values }: Entry): void {
  const code = ending(values, 'CDORPRTRY/CD')
  const balance = { line, minor: signedMinorOf(values), currency: values.get('AMT@CCY') ?? '' }
  if (code === 'OPBD' || (code === 'PRCD' && statement.opening === null)) statement.opening = balance
  if (code === 'CLBD') statement.closing = balance
}

export function withEntry(sum: number, { values }: Entry): number | null {
  if (!/^BOOK/i.test(statusOf(values))) return sum
  const minor = signedMinorOf(values)
  return minor === null ? null : sum + minor
}

export function unequalOf({ sum, opening, closing }: Balances): Row[] {
  if (sum === null || opening === null || closing === null) return []
  const [before, after] = [opening.minor, closing.minor]
  if (before === null || after === null || opening.currency !== closing.currency) return []
  if (before + sum === after) return []
  return [{ line: closing.line, fields: ['CLBD', decimalFromMinor(after as MinorUnits)] }]
}
