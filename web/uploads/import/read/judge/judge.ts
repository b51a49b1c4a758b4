/**
 * The judgement of a file: which text is the amount, the day, the direction and the currency of each row. It is the same
 * for all formats. It is pure, and returns the evidence and the questions as data for the page.
 */
import type { DecimalMark } from '#uploads/figures.ts'
import { eachInPieces, type Work } from '#uploads/pieces.ts'
import { fieldOf, type Row } from '#uploads/table.ts'
import type { Skipped } from '#uploads/import/read/reader.ts'
import type { Answers } from './answers.ts'
import { amountsOf, directedAmounts, feesOf, proofOf } from './amounts.ts'
import { columnsOf, type Places } from './columns.ts'
import { currencyRuleOf } from './currency.ts'
import type { Evidence } from './direction.ts'
import { judgeDays, type FileDays } from './file-days.ts'
import type { BankTable } from './headings.ts'
import { kindsOf, openStatesOf } from './kinds.ts'
import { notationOf, parseColumns } from './values.ts'

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

export type OpenQuestion = 'amount' | 'decimal' | 'direction' | 'state' | 'fee' | 'dayOrder' | 'year'

export type Judgement = {
  readonly places: Places
  readonly amountChoices: readonly number[]
  readonly decimal: DecimalMark
  /** An ambiguous amount such as `4.500`, or an empty string. */
  readonly openFigure: string
  readonly days: FileDays
  readonly evidence: readonly (Evidence | 'columns')[]
  /** Rows for the question about the direction. Empty if the file shows the direction. */
  readonly openDirections: readonly Row[]
  /** Whether the rows of `openDirections` contain both signs. */
  readonly areSignsMixed: boolean
  /** Whether a fee is paid in addition to the amount; `null` if the user must decide. */
  readonly isFeeExtra: boolean | null
  /** States that do not say whether the transaction took place. */
  readonly openStates: readonly string[]
  readonly movements: readonly Movement[]
  readonly skipped: readonly Skipped[]
  /** Lines of the file that do not agree with its rows. */
  readonly unequal: readonly Row[]
  /** Questions that the user has not answered. */
  readonly questions: readonly OpenQuestion[]
}

type Circumstances = { readonly bankCurrency: string; readonly last: string }

/** The latest judgement of a table, which the reader and the page both need. */
const latest = new WeakMap<BankTable, Circumstances & { answers: Answers; judgement: Judgement }>()

export function* judge(table: BankTable, answers: Answers, circumstances: Circumstances): Work<Judgement> {
  const { bankCurrency, last } = circumstances
  const known = latest.get(table)
  if (known?.answers === answers && known.bankCurrency === bankCurrency && known.last === last)
    return known.judgement
  const judgement = yield* judged(table, answers, circumstances)
  latest.set(table, { answers, bankCurrency, last, judgement })
  return judgement
}

function* judged(table: BankTable, answers: Answers, { bankCurrency, last }: Circumstances): Work<Judgement> {
  yield* parseColumns(table)
  const recognized = columnsOf(table, bankCurrency)
  yield
  const places = { ...recognized.places, ...answers.places }
  const money = [places.amount, places.debit, places.credit]
  const notation = notationOf(table, [...money, places.balance])
  const decimal = answers.decimal ?? table.stated.decimal ?? notation.decimal
  const isOwnNotation = decimal === (bankCurrency === 'COP' ? ',' : '.')
  yield
  const isKnown = table.stated.decimal !== undefined || (answers.decimal === undefined && isOwnNotation)
  const openFigure = isKnown ? '' : notation.openFigure
  const days = judgeDays(table, {
    place: places.date,
    last,
    stated: table.stated.dayOrder,
    order: answers.dayOrder,
    year: answers.year,
  })
  yield
  const amounts = amountsOf(table, places, decimal)
  yield
  const { areStatesBooked } = answers
  const kinds = yield* kindsOf(table, { places, days: days.days, amounts, decimal, areStatesBooked })
  const openStates = yield* openStatesOf(table, kinds, { places, areStatesBooked })
  const judged = { places, decimal, amounts, kinds, days: days.days }
  const proof = proofOf(table, judged)
  yield
  const directed = yield* directedAmounts(table, judged, { proof, answer: answers.expenseSign })
  const fee = feesOf(table, judged, { proof, answer: answers.isFeeExtra })
  const movements: Movement[] = []
  const skipped: Skipped[] = [...(table.stated.skipped ?? [])]
  const currencyOf = currencyRuleOf(table, places)
  yield* eachInPieces(table.rows, (row, index) => {
    const kind = kinds[index] ?? 'movement'
    if (kind === 'movement' || kind === 'long') {
      const signed = directed.signed[index] ?? null
      movements.push({
        row,
        day: days.days[index] ?? null,
        signedMinor:
          kind === 'long'
            ? null
            : signed === null
              ? null
              : signed - (fee.isExtra === true ? (fee.minor[index] ?? 0) : 0),
        description: fieldOf(row, places.description),
        currency: currencyOf(row),
        misplaced: kind === 'long' ? kind : null,
      })
    } else if (kind === 'continuation') {
      const above = movements.pop()
      if (above !== undefined)
        movements.push({
          ...above,
          description: [above.description, ...row.fields].filter(Boolean).join(' '),
        })
    } else skipped.push({ line: row.line, reason: kind, text: row.fields.filter(Boolean).join(' · ') })
  })
  for (const row of table.elsewhere) {
    const unread = { day: null, signedMinor: null, description: '', currency: '' }
    movements.push({ row, ...unread, misplaced: 'table' })
  }
  const questions: [OpenQuestion, boolean][] = [
    [
      'amount',
      recognized.amountChoices.length > 0 &&
        answers.places?.amount === undefined &&
        answers.places?.debit === undefined,
    ],
    ['decimal', openFigure !== '' && answers.decimal === undefined],
    ['direction', directed.open.length > 0 && answers.expenseSign === undefined],
    ['state', openStates.length > 0 && areStatesBooked === undefined],
    ['fee', fee.isExtra === null],
    ['dayOrder', days.isOrderOpen && answers.dayOrder === undefined],
    ['year', days.yearChoices.length > 0 && answers.year === undefined],
  ]
  return {
    places,
    amountChoices: recognized.amountChoices,
    decimal,
    openFigure,
    days,
    evidence: directed.evidence,
    openDirections: directed.open,
    areSignsMixed: directed.areSignsMixed,
    isFeeExtra: fee.isExtra,
    openStates,
    movements,
    skipped,
    unequal: table.stated.unequal ?? [],
    questions: questions.filter(([, isOpen]) => isOpen).map(([question]) => question),
  }
}
