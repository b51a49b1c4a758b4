/** Decides for each row of a file whether it is a booked transaction. */
import { fieldOf, type Row } from '#upload/table.ts'
import { minorAt, type Amounts } from './amounts.ts'
import type { Places } from './columns.ts'
import type { BankTable } from './headings.ts'
import { isState, stateOf, summaryOf, type Kind } from './states.ts'

type Judged = {
  readonly places: Places
  readonly days: readonly (string | null)[]
  readonly amounts: Amounts
}

export function kindsOf(table: BankTable, judged: Judged): Kind[] {
  let isBelowMovement = false
  return table.rows.map((row, index): Kind => {
    const kind = kindOf(table, judged, { row, index, isBelowMovement })
    if (kind !== 'continuation') isBelowMovement = kind === 'movement'
    return kind
  })
}

function kindOf(
  { stated, width }: BankTable,
  { places, days, amounts }: Judged,
  { row, index, isBelowMovement }: { row: Row; index: number; isBelowMovement: boolean },
): Kind {
  const { fields } = row
  const isTable = stated.fields === null
  const minor = minorAt(amounts, index)
  const day = days[index] ?? null
  if (isTable && width > 0 && fields.some((field, place) => place >= width && field !== '')) return 'long'
  // Some banks write a state such as `Pending` in place of the day.
  const state =
    stateOf(fieldOf(row, places.state)) ??
    (day === null && isTable ? stateOf(fieldOf(row, places.date)) : null)
  if (state !== null) return state
  // A format whose rows have a state names the booked ones.
  if (!isTable && fieldOf(row, places.state) !== '' && !isState(fieldOf(row, places.state))) return 'unknown'
  const summary = isTable ? summaryOf(fields) : null
  if (summary !== null) return summary
  if (day === null && minor === null)
    return isBelowMovement && isTable && continues(row, places) ? 'continuation' : 'empty'
  return minor === 0 ? 'empty' : 'movement'
}

/** Returns whether the row contains only more words for the description of the row above. */
function continues(row: Row, { date, amount, debit, credit, balance, description }: Places): boolean {
  if (fieldOf(row, description) === '') return false
  const others = [date, amount, debit, credit, balance]
  return row.fields.every((field, place) => field === '' || !others.includes(place))
}
