/** Decides for each row of a file whether it is a booked transaction. */
import type { DecimalMark, Figure } from '#uploads/figures.ts'
import { eachInPieces, mapInPieces, type Work } from '#uploads/pieces.ts'
import { fieldOf, type Row } from '#uploads/table.ts'
import { minorAt, type Amounts } from './amounts.ts'
import { signedBalance } from './balance.ts'
import type { Places } from './columns.ts'
import { cutRuleOf } from './cut-rows.ts'
import type { BankTable } from './headings.ts'
import { isBareSummary, stateOf, summaryOf, writtenStateOf, type Kind } from './states.ts'
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
  const kinds = yield* mapInPieces(table.rows, (row, index): Kind => {
    const kind = isCut(row) ? 'long' : kindOf(table, judged, { row, index, isBelowMovement })
    if (kind !== 'continuation') isBelowMovement = kind === 'movement'
    return kind
  })
  for (const [index, kind] of shopsAmong(table, judged, kinds)) kinds[index] = kind
  return kinds
}

/** Number of transactions for each row that only its name, such as `Balance`, makes look like a balance. */
const transactionsPerShop = 4

/**
 * Returns the kinds of rows that pay a shop with a name such as `Balance`. Balances stand at the ends of a file or below
 * each day, and have no minus. At the ends of the file, only the user knows whether a row with a minus is a balance.
 */
function shopsAmong(
  table: BankTable,
  { places, days, amounts, areStatesBooked }: Judged,
  kinds: readonly Kind[],
): ReadonlyMap<number, Kind> {
  const [first, last] = [kinds.indexOf('movement'), kinds.lastIndexOf('movement')]
  const shops = [...kinds.keys()].filter((index) => {
    if ((days[index] ?? null) === null || (kinds[index] !== 'balance' && kinds[index] !== 'total'))
      return false
    const isOut =
      amounts.pair === null ? isWrittenOut(amounts.single?.[index]) : minorAt(amounts, index) !== null
    return isOut && isBareSummary(fieldOf(table.rows[index] ?? { line: 0, fields: [] }, places.description))
  })
  const between = shops.filter((index) => first < index && index < last)
  const transactions = kinds.filter((kind) => kind === 'movement').length
  if (between.length > 1 && transactionsPerShop * between.length > transactions) return new Map()
  const atEnd: Kind = areStatesBooked === true ? 'movement' : 'unknown'
  return new Map(shops.map((index) => [index, between.includes(index) ? 'movement' : atEnd]))
}

function isWrittenOut(figure: Figure | null | undefined): boolean {
  return figure?.sign === '-' || figure?.mark === 'debit'
}

function kindOf(
  table: BankTable,
  { places, days, amounts, decimal, areStatesBooked }: Judged,
  { row, index, isBelowMovement }: { row: Row; index: number; isBelowMovement: boolean },
): Kind {
  const { stated, width, fieldsMax } = table
  const { fields } = row
  const isTable = stated.fields === null
  const minor = minorAt(amounts, index)
  const day = days[index] ?? null
  if (isTable && width > 0 && fields.some((field, place) => place >= width && field !== '')) return 'long'
  if (fields.length > fieldsMax && minor !== null) return 'long'
  const state = stateOf(fieldOf(row, places.state))
  if (state !== 'booked' && state !== 'unknown') return state
  // Some banks write a state such as `Pending` in place of the day.
  const inDay = day === null && isTable ? stateOf(fieldOf(row, places.date)) : 'booked'
  if (inDay !== 'booked' && inDay !== 'unknown') return inDay
  const summary = isTable ? summaryOf(fields) : null
  const isBooked = () => changesBalance(figuresOf(table, places.balance, decimal), { index, minor })
  if (summary !== null && !isBooked()) return summary
  // Some banks write the state in front of the description, or behind it.
  const written = isTable ? writtenStateOf(fieldOf(row, places.description)) : null
  if (written !== null && !(written === 'unknown' && areStatesBooked === true) && !isBooked()) return written
  if (state === 'unknown' && areStatesBooked !== true) return state
  if (day === null && minor === null)
    return isBelowMovement && isTable && continues(row, places) ? 'continuation' : 'empty'
  return minor === 0 && amounts.pair?.both.has(index) !== true ? 'empty' : 'movement'
}

/** Returns the states and descriptions that do not say whether the transaction took place. */
export function* openStatesOf(
  table: BankTable,
  kinds: readonly Kind[],
  { places, areStatesBooked }: Pick<Judged, 'places' | 'areStatesBooked'>,
): Work<string[]> {
  // A format whose rows have a state names the booked ones.
  if (table.stated.fields !== null) return []
  const open = new Set<string>()
  yield* eachInPieces(table.rows, (row, index) => {
    // After the answer, the question stays on screen, so that it can be changed.
    const isOpen = kinds[index] === 'unknown' || (areStatesBooked === true && kinds[index] === 'movement')
    if (!isOpen) return
    const [state, words] = [fieldOf(row, places.state), fieldOf(row, places.description)]
    if (stateOf(state) === 'unknown') open.add(state)
    else if (writtenStateOf(words) === 'unknown' || isBareSummary(words)) open.add(words)
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
