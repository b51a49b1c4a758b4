/** The transactions of a file, and its rows that are left out. */
import { eachInPieces, type Work } from '#uploads/pieces.ts'
import { fieldOf, type Row } from '#uploads/table.ts'
import type { Skipped } from '#uploads/import/read/reader.ts'
import type { Places } from './columns.ts'
import { currencyRuleOf } from './currency.ts'
import type { BankTable } from './headings.ts'
import type { Kind } from './states.ts'

/** A booked transaction as it stands in the file. */
export type Movement = {
  readonly row: Row
  readonly day: string | null
  /** Minor units, negative for an expense or `null` if the amount is unreadable. */
  readonly signedMinor: number | null
  readonly description: string
  /** The ISO 4217 code, or an empty string. */
  readonly currency: string
  /** Whether the row has more fields than the heading, or belongs to another table. */
  readonly misplaced: 'long' | 'table' | null
}

type Judged = {
  readonly places: Places
  readonly kinds: readonly Kind[]
  readonly days: readonly (string | null)[]
}

/** The amount of each row with its sign, and the fee that may be paid in addition. */
type Sums = {
  readonly signed: readonly (number | null)[]
  readonly fee: { readonly isExtra: boolean | null; readonly minor: readonly (number | null)[] }
}

/**
 * Sorts the rows into transactions and the rows that are left out. A row that continues its predecessor is
 * joined to it.
 */
export function* sortedRows(
  table: BankTable,
  { places, kinds, days }: Judged,
  { signed, fee }: Sums,
): Work<{ movements: Movement[]; skipped: Skipped[] }> {
  const movements: Movement[] = []
  const skipped: Skipped[] = [...(table.stated.skipped ?? [])]
  const currencyOf = currencyRuleOf(table, places)
  const signedWithFee = (index: number) => {
    const signedMinor = signed[index] ?? null
    return signedMinor === null ? null : signedMinor - (fee.isExtra === true ? (fee.minor[index] ?? 0) : 0)
  }
  yield* eachInPieces(table.rows, (row, index) => {
    const kind = kinds[index] ?? 'movement'
    if (kind === 'movement' || kind === 'long') {
      movements.push({
        row,
        day: days[index] ?? null,
        signedMinor: kind === 'long' ? null : signedWithFee(index),
        description: fieldOf(row, places.description),
        currency: currencyOf(row),
        misplaced: kind === 'long' ? kind : null,
      })
    } else if (kind === 'continuation') {
      const above = movements.pop()
      if (above !== undefined) movements.push(continued(above, row))
    } else skipped.push({ line: row.line, reason: kind, text: row.fields.filter(Boolean).join(' · ') })
  })
  for (const row of table.elsewhere) {
    const unread = { day: null, signedMinor: null, description: '', currency: '' }
    movements.push({ row, ...unread, misplaced: 'table' })
  }
  return { movements, skipped }
}

function continued(above: Movement, { fields }: Row): Movement {
  return { ...above, description: [above.description, ...fields].filter(Boolean).join(' ') }
}
