/** Decides for each row of a file whether it is a booked transaction. */
import type { DecimalMark, Figure } from '#upload/figures.ts'
import { eachInPieces, mapInPieces, type Work } from '#upload/pieces.ts'
import { fieldOf, type Row } from '#upload/table.ts'
import { minorAt, type Amounts } from './amounts.ts'
import { signedBalance } from './balance.ts'
import type { Places } from './columns.ts'
import { cutRuleOf } from './cut-rows.ts'
import type { BankTable } from './headings.ts'
import { stateOf, summaryOf, type Kind } from './states.ts'
import { figuresOf } from './values.ts'

type Judged = {
  readonly places: Places
  readonly days: readonly (string | null)[]
  readonly amounts: Amounts
  readonly decimal: DecimalMark
  /** The user's answer about states that do not say whether the transaction took place. */
  readonly areStatesBooked: boolean | undefined
}

export function* kindsOf(table: BankTable, judged: Judged): Work<Kind[]> {
  const isCut = cutRuleOf(table, judged.places)
  yield
  let isBelowMovement = false
  return yield* mapInPieces(table.rows, (row, index): Kind => {
    const kind = isCut(row) ? 'long' : kindOf(table, judged, { row, index, isBelowMovement })
    if (kind !== 'continuation') isBelowMovement = kind === 'movement'
    return kind
  })
}

function kindOf(
  table: BankTable,
  { places, days, amounts, decimal, areStatesBooked }: Judged,
  { row, index, isBelowMovement }: { row: Row; index: number; isBelowMovement: boolean },
): Kind {
  const { stated, width } = table
  const { fields } = row
  const isTable = stated.fields === null
  const minor = minorAt(amounts, index)
  const day = days[index] ?? null
  if (isTable && width > 0 && fields.some((field, place) => place >= width && field !== '')) return 'long'
  const state = stateOf(fieldOf(row, places.state))
  if (state !== 'booked' && state !== 'unknown') return state
  // Some banks write a state such as `Pending` in place of the day.
  const inDay = day === null && isTable ? stateOf(fieldOf(row, places.date)) : 'booked'
  if (inDay !== 'booked' && inDay !== 'unknown') return inDay
  const summary = isTable ? summaryOf(fields) : null
  if (summary !== null && !changesBalance(figuresOf(table, places.balance, decimal), { index, minor }))
    return summary
  if (state === 'unknown' && areStatesBooked !== true) return state
  if (day === null && minor === null)
    return isBelowMovement && isTable && continues(row, places) ? 'continuation' : 'empty'
  return minor === 0 ? 'empty' : 'movement'
}

/** Returns the values of the column of states that do not say whether the transaction took place. */
export function* openStatesOf(table: BankTable, { state }: Places): Work<string[]> {
  // A format whose rows have a state names the booked ones.
  if (table.stated.fields !== null) return []
  const open = new Set<string>()
  yield* eachInPieces(table.rows, (row) => {
    const text = fieldOf(row, state)
    if (stateOf(text) === 'unknown' && summaryOf(row.fields) === null) open.add(text)
  })
  return [...open]
}

/** Returns whether the balance differs from the one beside it by the amount of the row, as that of a transaction does. */
function changesBalance(
  balances: readonly (Figure | null)[],
  { index, minor }: { index: number; minor: number | null },
): boolean {
  const [before, own, after] = [-1, 0, 1].map((step) => signedBalance(balances[index + step] ?? null))
  if (own === null || own === undefined || minor === null || minor === 0) return false
  const amount = Math.abs(minor)
  return (
    Math.abs(own) !== amount && [before, after].some((other) => Math.abs((other ?? NaN) - own) === amount)
  )
}

/** Returns whether the row contains only more words for the description of the row above. */
function continues(row: Row, { date, amount, debit, credit, balance, description }: Places): boolean {
  if (fieldOf(row, description) === '') return false
  const others = [date, amount, debit, credit, balance]
  return row.fields.every((field, place) => field === '' || !others.includes(place))
}
