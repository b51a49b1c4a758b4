/** Recognizes a file's columns by their Spanish or English headings, or by their contents. */
import { fold } from '#format/text.ts'
import { amountColumns, bestColumn, isFigure, shareOf } from '#upload/columns.ts'
import type { Conversion } from './conversion.ts'
import { guessDayOrder, readDay, type DayOrder } from './days.ts'
import {
  guessDecimalMark,
  openFigureOf,
  readFigure,
  writtenCurrency,
  type DecimalMark,
} from '#upload/figures.ts'
import { textsOf, type Row, type Table } from '#upload/table.ts'

const columnRoles = [
  'date',
  'description',
  'amount',
  'debit',
  'credit',
  'currency',
  'category',
  'kind',
] as const
export type ColumnRole = (typeof columnRoles)[number]

/** The index of each field's column, or `null` if the column is missing. */
export type ColumnMapping = Readonly<Record<ColumnRole, number | null>> & {
  readonly dayOrder: DayOrder
  readonly decimal: DecimalMark
  /** The sign of expense amounts, if one column contains all amounts. */
  readonly expenseSign: 'negative' | 'positive'
  /** The currency named in the amount column's heading, or an empty string. */
  readonly headingCurrency: string
  /**
   * The column with the bank's transaction reference, which is the same in every download. `null` if the format does
   * not have this column.
   */
  readonly reference: number | null
  /** The columns that may contain the amounts. Empty if the headings determine the column. */
  readonly amountChoices: readonly number[]
  readonly isAmountAnswered: boolean
  /**
   * An ambiguous amount such as `4.500`, as an example for the question what the separators mean. Empty if the amounts
   * are unambiguous or seem to be in the bank's own notation.
   */
  readonly openFigure: string
  readonly isDecimalAnswered: boolean
  readonly conversion: Conversion | null
  /** Whether the user has answered the question about a conversion of the amounts. */
  readonly isCurrencyAnswered: boolean
}

/** Returns whether the user must still say which column contains the amounts, or what their separators mean. */
export function hasOpenQuestion(mapping: ColumnMapping): boolean {
  const isAmountOpen = mapping.amountChoices.length > 0 && !mapping.isAmountAnswered
  return isAmountOpen || (mapping.openFigure !== '' && !mapping.isDecimalAnswered)
}

/** Known headings, in lower case and without accents. Earlier headings take precedence. */
const headings: Readonly<Record<ColumnRole, readonly string[]>> = {
  date: ['fecha', 'date', 'booking date', 'dia'],
  description: [
    'descripcion',
    'description',
    'concepto',
    'detalle',
    'comercio',
    'establecimiento',
    'partner name',
    'payee',
    'beneficiario',
    'movimiento',
    'transaccion',
    'nombre',
    'name',
    'memo',
    'details',
    'referencia',
    'reference',
  ],
  amount: ['monto', 'valor', 'importe', 'amount', 'cantidad'],
  debit: [
    'debito',
    'debit',
    'cargo',
    'retiro',
    'egreso',
    'salida',
    'gasto',
    'withdrawal',
    'money out',
    'paid out',
    'debe',
  ],
  credit: [
    'credito',
    'credit',
    'abono',
    'deposito',
    'ingreso',
    'entrada',
    'deposit',
    'money in',
    'paid in',
    'haber',
    'consignacion',
  ],
  currency: ['moneda', 'currency', 'divisa'],
  category: ['categoria', 'category', 'rubro'],
  kind: ['tipo', 'type', 'naturaleza', 'd/c'],
}

export function isHeading({ fields }: Row): boolean {
  const named = columnRoles.filter((role) => bestColumn(fields, headings[role]) !== null)
  return (
    named.length >= 2 &&
    named.some((role) => role === 'date' || role === 'amount' || role === 'debit') &&
    fields.every((field) => readDay(field, 'day-first') === null)
  )
}

export function recognizeMapping(table: Table, bankCurrency: string): ColumnMapping {
  const { columns, rows } = table
  const texts = (place: number | null) => textsOf(rows, place)
  const share = (place: number, is: (text: string) => boolean) => shareOf(texts(place), is)
  const isDay = (text: string) => readDay(text, 'day-first') !== null || readDay(text, 'month-first') !== null
  const taken = new Set<number>()
  const take = (place: number | null) => {
    if (place !== null) taken.add(place)
    return place
  }
  const byHeading = (role: ColumnRole, is: (text: string) => boolean = () => true) =>
    take(
      bestColumn(
        columns,
        headings[role],
        new Set([...taken, ...columns.keys()].filter((place) => taken.has(place) || share(place, is) < 0.5)),
      ),
    )
  const ofContent = (is: (text: string) => boolean) =>
    [...columns.keys()].filter((place) => !taken.has(place) && share(place, is) > 0.8)

  const date = byHeading('date', isDay) ?? take(ofContent(isDay)[0] ?? null)
  const debit = byHeading('debit', isFigure)
  const credit = byHeading('credit', isFigure)
  const named = byHeading('amount', isFigure)
  const isAmount = (text: string) => isFigure(text) && !isDay(text)
  const guesses = named === null && debit === null ? amountColumns(rows, ofContent(isAmount)) : []
  const amount = named ?? take(guesses[0] ?? null)
  // A debit column without a credit column is ignored if another column contains all amounts.
  const hasPair = debit !== null && (amount === null || credit !== null)
  const currency = byHeading('currency', (text) => /^[A-Z]{3}$/i.test(text))
  const kind = byHeading('kind')
  const category = byHeading('category')
  const words = (place: number) =>
    texts(place)
      .join('')
      .replace(/[^\p{L}]/gu, '').length
  const description =
    byHeading('description') ??
    take(
      [...columns.keys()]
        .filter((place) => !taken.has(place) && words(place) > 0)
        .sort((one, other) => words(other) - words(one))[0] ?? null,
    )
  const places = {
    amount: hasPair ? null : amount,
    debit: hasPair ? debit : null,
    credit: hasPair ? credit : null,
  }
  const rivals = amountHeadings(columns, (place) => share(place, isAmount) >= 0.5)
  return {
    date,
    description,
    ...places,
    ...notationOf(table, places, bankCurrency),
    // A column with the original currency is ignored, because it describes the amount before a conversion.
    currency: /original/i.test(columns[currency ?? -1] ?? '') ? null : currency,
    category,
    kind,
    reference: null,
    dayOrder: guessDayOrder(texts(date)),
    amountChoices: named === null ? guesses : !hasPair && rivals.length > 1 ? rivals : [],
    isAmountAnswered: false,
    isDecimalAnswered: false,
    conversion: null,
    isCurrencyAnswered: false,
  }
}

/** Headings of columns whose amounts are not the transactions' own amounts. */
const otherAmounts = /original|foreign|extranjer|saldo|balance/i

/**
 * Returns the columns whose heading is a word for amounts. Otherwise returns the columns whose
 * heading contains a word for amounts.
 */
function amountHeadings(columns: readonly string[], isAmount: (place: number) => boolean): number[] {
  const places = [...columns.keys()].filter((place) => isAmount(place))
  const named = (place: number) => fold(columns[place] ?? '').trim()
  const exact = places.filter((place) => headings.amount.includes(named(place)))
  if (exact.length > 0) return exact
  return places.filter(
    (place) => !otherAmounts.test(named(place)) && bestColumn([named(place)], headings.amount) !== null,
  )
}

type Places = Pick<ColumnMapping, 'amount' | 'debit' | 'credit'>

/** Returns the number notation of the amounts in these columns. */
function notationOf({ columns, rows }: Table, { amount, debit, credit }: Places, bankCurrency: string) {
  const figures = [amount, debit, credit].flatMap((place) => textsOf(rows, place))
  const decimal = guessDecimalMark(figures)
  const signed = textsOf(rows, amount).map((text) => readFigure(text, decimal) ?? 0)
  return {
    decimal,
    openFigure: decimal === (bankCurrency === 'COP' ? ',' : '.') ? '' : openFigureOf(figures),
    expenseSign: signed.some((minor) => minor < 0) ? 'negative' : 'positive',
    headingCurrency: writtenCurrency(columns[debit ?? amount ?? -1] ?? ''),
  } as const
}

/**
 * Returns the mapping after assigning another column to a field. A file has either one column for all amounts, or
 * separate columns for debits and credits. The number notation is detected again from the new column, unless the file
 * format defines the notation.
 */
export function withColumn(
  table: Table,
  mapping: ColumnMapping,
  { role, place, bankCurrency }: { role: ColumnRole; place: number | null; bankCurrency: string },
): ColumnMapping {
  const changed = { ...mapping, [role]: place }
  if (role !== 'amount' && role !== 'debit' && role !== 'credit') return changed
  const others = place === null ? {} : role === 'amount' ? { debit: null, credit: null } : { amount: null }
  const answered = {
    ...changed,
    ...others,
    isAmountAnswered: place !== null,
    isCurrencyAnswered: mapping.conversion !== null,
  }
  if (table.format !== 'CSV' || mapping[role] === place) return answered
  return { ...answered, isDecimalAnswered: false, ...notationOf(table, answered, bankCurrency) }
}
