/**
 * The judgement of a file: which text is the amount, the day, the direction and the currency of each row. It is the same
 * for all formats. It is pure, and returns the evidence and the questions as data for the page.
 */
import type { DecimalMark } from '#uploads/figures.ts'
import type { Work } from '#uploads/pieces.ts'
import type { Row } from '#uploads/table.ts'
import type { Skipped } from '#uploads/import/read/reader.ts'
import type { Answers } from './answers.ts'
import { amountsOf, directedAmounts, feesOf, proofOf } from './amounts.ts'
import { columnsOf, type Places } from './columns.ts'
import type { Evidence } from './direction.ts'
import { judgeDays, type FileDays } from './file-days.ts'
import type { BankTable } from './headings.ts'
import { kindsOf, openStatesOf } from './kinds.ts'
import { sortedRows, type Movement } from './movements.ts'
import { notationOf, parseColumns } from './values.ts'

const questionOrder = ['amount', 'decimal', 'direction', 'state', 'fee', 'dayOrder', 'year'] as const

export type OpenQuestion = (typeof questionOrder)[number]

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
  const { movements, skipped } = yield* sortedRows(table, judged, { signed: directed.signed, fee })
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
    questions: openQuestions(answers, {
      amount: recognized.amountChoices.length > 0,
      decimal: openFigure !== '',
      direction: directed.open.length > 0,
      state: openStates.length > 0,
      fee: fee.isExtra === null,
      dayOrder: days.isOrderOpen,
      year: days.yearChoices.length > 0,
    }),
  }
}

/** Returns the questions that the file leaves open and that the user has not answered, in the order of the page. */
function openQuestions(answers: Answers, isOpen: Readonly<Record<OpenQuestion, boolean>>): OpenQuestion[] {
  const isAnswered: Readonly<Record<OpenQuestion, boolean>> = {
    amount: answers.places?.amount !== undefined || answers.places?.debit !== undefined,
    decimal: answers.decimal !== undefined,
    direction: answers.expenseSign !== undefined,
    state: answers.areStatesBooked !== undefined,
    fee: answers.isFeeExtra !== undefined,
    dayOrder: answers.dayOrder !== undefined,
    year: answers.year !== undefined,
  }
  return questionOrder.filter((question) => isOpen[question] && !isAnswered[question])
}
