/** Judges the signed amounts of a file from its columns of amounts, fees and balances. */
import { parseFigure, type DecimalMark, type Figure } from '#uploads/figures.ts'
import { mapInPieces, type Work } from '#uploads/pieces.ts'
import { fieldOf, type Row } from '#uploads/table.ts'
import { proveByBalance, type BalanceProof } from './balance.ts'
import type { Places } from './columns.ts'
import {
  judgeDirections,
  pairOf,
  type Entry,
  type Evidence,
  type ExpenseSign,
  type Pair,
} from './direction.ts'
import type { BankTable } from './headings.ts'
import type { Kind } from './states.ts'
import { figuresOf, textsOf } from './values.ts'
import { namesCreditCard, speaksOfRefund, vocabularyOf } from './words.ts'

export type Amounts = {
  /** The figures of the single column, or `null` if two columns contain the amounts. */
  readonly single: readonly (Figure | null)[] | null
  readonly pair: Pair | null
}

export function amountsOf(
  table: BankTable,
  { date, description, amount, debit, credit }: Places,
  decimal: DecimalMark,
): Amounts {
  if (debit === null && credit === null) return { single: figuresOf(table, amount, decimal), pair: null }
  // A row of totals has no day, and writes its sums without the sign of the column.
  const dayTexts = textsOf(table, date)
  const texts = textsOf(table, description)
  const pair = pairOf(figuresOf(table, debit, decimal), figuresOf(table, credit, decimal), {
    isCounted: (row) => dayTexts[row] !== '',
    isRefund: (row) => speaksOfRefund(texts[row] ?? ''),
  })
  return { single: null, pair }
}

export function minorAt({ single, pair }: Amounts, row: number): number | null {
  return pair === null ? (single?.[row]?.minor ?? null) : (pair.signed[row] ?? null)
}

type Judged = {
  readonly places: Places
  readonly decimal: DecimalMark
  readonly amounts: Amounts
  readonly kinds: readonly Kind[]
  readonly days: readonly (string | null)[]
}

/** Proves the amounts by the column of balances, or returns `null`. */
export function proofOf(
  table: BankTable,
  { places, decimal, amounts, kinds, days }: Judged,
): BalanceProof | null {
  if (places.balance === null) return null
  const isCounted = (row: number) => ['movement', 'empty', 'balance'].includes(kinds[row] ?? '')
  const summaries = table.rows.filter((_, row) => kinds[row] === 'balance')
  const others = [...table.above, ...summaries].flatMap(({ fields }) =>
    fields.map((field) => figureIn(field, decimal)),
  )
  return proveByBalance({
    amounts: table.rows.map((_, row) => (kinds[row] === 'movement' ? minorAt(amounts, row) : null)),
    fees: figuresOf(table, places.fee, decimal).map((figure) => figure?.minor ?? null),
    balances: figuresOf(table, places.balance, decimal).map((figure, row) =>
      isCounted(row) ? figure : null,
    ),
    others: new Set(others.filter((minor) => minor !== null)),
    before: sideBefore(days.filter((day, row) => day !== null && kinds[row] === 'movement')),
  })
}

/** Returns on which side of a row the older rows are, or `null` if all rows have one day. */
function sideBefore(days: readonly (string | null)[]): 'above' | 'below' | null {
  const [first, last] = [days[0] ?? '', days.at(-1) ?? '']
  return first === last ? null : first < last ? 'above' : 'below'
}

/** Returns the figure at the end of a text such as `Saldo inicial: 1.500,00`. */
function figureIn(field: string, decimal: DecimalMark): number | null {
  // Begins only at a minus sign or at the first of these characters. Otherwise, a text of thousands of digits would take
  // seconds.
  const [text = ''] = /(?:-|(?<![\d.,'’\s-]))[\d.,'’\s]*\d$/.exec(field.trim()) ?? []
  const figure = text === '' ? null : parseFigure(text, decimal)
  return figure === null ? null : figure.sign === '-' ? -figure.minor : figure.minor
}

export type DirectedAmounts = {
  /** The signed amount of each row, negative for an expense. */
  readonly signed: readonly (number | null)[]
  readonly evidence: readonly (Evidence | 'columns')[]
  /** Rows whose direction only the user knows. */
  readonly open: readonly Row[]
  readonly areSignsMixed: boolean
}

export function* directedAmounts(
  table: BankTable,
  judged: Judged,
  { proof, answer }: { proof: BalanceProof | null; answer: ExpenseSign | undefined },
): Work<DirectedAmounts> {
  const { amounts, kinds } = judged
  const rows = [...table.rows.keys()].filter((row) => kinds[row] === 'movement')
  if (amounts.pair !== null) return directedPair(table, amounts.pair, { rows, proof, answer })
  const places = rows.filter((row) => (amounts.single?.[row]?.minor ?? 0) > 0)
  const entries = yield* entriesOf(table, judged, { places, proof })
  yield
  const isFormat = table.stated.fields !== null
  // OFX and QIF define that a minus is an expense. Other formats have an indicator of their own.
  const isMinusDefined = isFormat && (table.format === 'OFX' || table.format === 'QIF')
  const directions = judgeDirections(entries, {
    answer,
    isMinusDefined,
    isIndicator: isFormat && !isMinusDefined,
    isOfCard: [...table.above.flatMap(({ fields }) => fields), ...table.columns].some(namesCreditCard),
  })
  const signed: (number | null)[] = table.rows.map((_, row) =>
    amounts.single?.[row]?.minor === 0 ? 0 : null,
  )
  for (const [index, row] of places.entries()) {
    const minor = amounts.single?.[row]?.minor ?? 0
    signed[row] = directions.of[index] === 'in' ? minor : -minor
  }
  const open = directions.open.flatMap((index) => table.rows[places[index] ?? -1] ?? [])
  const openSigns = new Set(directions.open.map((index) => entries[index]?.figure.sign === '-'))
  return { signed, evidence: directions.evidence, open, areSignsMixed: openSigns.size === 2 }
}

/** A row with both a debit and a credit is read only if its balance proves their sum. */
function directedPair(
  table: BankTable,
  { signed, open, both }: Pair,
  {
    rows,
    proof,
    answer,
  }: { rows: readonly number[]; proof: BalanceProof | null; answer: ExpenseSign | undefined },
): DirectedAmounts {
  const provenOf = (row: number) => proof?.directions[row] ?? null
  const directionOf = (row: number) =>
    provenOf(row) ?? (answer === undefined ? null : answer === 'positive' ? 'out' : 'in')
  const directed = signed.map((minor, row) => {
    if (minor === null || (both.has(row) && provenOf(row) === null)) return null
    const direction = open.has(row) ? directionOf(row) : null
    return direction === null ? minor : direction === 'out' ? -Math.abs(minor) : Math.abs(minor)
  })
  const isProven = rows.some((row) => provenOf(row) === ((signed[row] ?? 0) < 0 ? 'out' : 'in'))
  return {
    signed: directed,
    evidence: isProven ? ['columns', 'balance'] : ['columns'],
    open: rows
      .filter((row) => open.has(row) && provenOf(row) === null)
      .flatMap((row) => table.rows[row] ?? []),
    areSignsMixed: false,
  }
}

function* entriesOf(
  table: BankTable,
  { places: columns, amounts, kinds }: Judged,
  { places, proof }: { places: readonly number[]; proof: BalanceProof | null },
): Work<Entry[]> {
  const { direction, description, category } = columns
  const heading = table.columns[direction ?? -1] ?? ''
  const texts = textsOf(table, direction).filter((text) => text !== '')
  const vocabulary = direction === null ? null : vocabularyOf(texts, { heading, isTypes: true })
  const isSigned = places.some((row) => amounts.single?.[row]?.sign !== '')
  // A single type such as `Compra` beside unsigned amounts may stand for either direction.
  const isProof =
    vocabulary !== null &&
    (isSigned || vocabulary.isComplete || vocabulary.isCertain || table.stated.fields !== null)
  return yield* mapInPieces(places, (row) => {
    const line = table.rows[row] ?? { line: 0, fields: [] }
    const own = [fieldOf(line, description), fieldOf(line, direction)]
    for (let next = row + 1; kinds[next] === 'continuation'; next += 1)
      own.push(fieldOf(table.rows[next] ?? line, description))
    return {
      figure: amounts.single?.[row] ?? { minor: 0, sign: '', mark: '' },
      word: isProof ? vocabulary.of(fieldOf(line, direction)) : null,
      balance: proof?.directions[row] ?? null,
      words: `${own.join(' ')}\n${fieldOf(line, category)}`,
    }
  })
}

/** Returns the fee of each row, and whether it is paid in addition to the amount. `null` if the file does not show it. */
export function feesOf(
  table: BankTable,
  { places, decimal, kinds }: Judged,
  { proof, answer }: { proof: BalanceProof | null; answer: boolean | undefined },
): { minor: readonly number[]; isExtra: boolean | null } {
  const minor = figuresOf(table, places.fee, decimal).map((figure) => figure?.minor ?? 0)
  const isUsed = minor.some((each, row) => each > 0 && kinds[row] === 'movement')
  return { minor, isExtra: isUsed ? (answer ?? proof?.isFeeExtra ?? null) : false }
}
