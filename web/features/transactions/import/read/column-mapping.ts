/** Recognizes a file's columns by their Spanish or English headings, or by their contents. */
import { amountColumn, bestColumn, isFigure, shareOf } from '#upload/columns.ts'
import { guessDayOrder, readDay, type DayOrder } from './days.ts'
import { guessDecimalMark, readFigure, writtenCurrency, type DecimalMark } from '#upload/figures.ts'
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

/** The position of each field's column, or `null` for a missing one. */
export type ColumnMapping = Readonly<Record<ColumnRole, number | null>> & {
  readonly dayOrder: DayOrder
  readonly decimal: DecimalMark
  /** The sign that an expense has if one column contains all amounts. */
  readonly expenseSign: 'negative' | 'positive'
  /** The currency in the heading of the amounts, or an empty text. */
  readonly headingCurrency: string
  /**
   * The column with the bank's reference of a transaction, which is the same in each download. `null` if the format has
   * no such column.
   */
  readonly reference: number | null
  /** Origin of the column of amounts. Nothing is recorded before the user confirms a guess. */
  readonly amountSource: 'heading' | 'guess' | 'confirmed'
}

/** Headings without accents and capitals. Earlier ones take precedence. */
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

export function recognizeMapping({ columns, rows }: Pick<Table, 'columns' | 'rows'>): ColumnMapping {
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
  const isGuessed = named === null && debit === null
  const amount = isGuessed
    ? take(
        amountColumn(
          rows,
          ofContent((text) => isFigure(text) && !isDay(text)),
        ),
      )
    : named
  // A file with only one of debit and credit uses the single column for all amounts, if it has one.
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
  const decimal = guessDecimalMark([...texts(amount), ...texts(debit), ...texts(credit)])
  const signed = texts(amount).map((text) => readFigure(text, decimal) ?? 0)
  return {
    date,
    description,
    amount: hasPair ? null : amount,
    debit: hasPair ? debit : null,
    credit: hasPair ? credit : null,
    // A column with the original currency, before a conversion, does not contain the currency of the amount.
    currency: /original/i.test(columns[currency ?? -1] ?? '') ? null : currency,
    category,
    kind,
    headingCurrency: writtenCurrency(columns[(hasPair ? debit : amount) ?? -1] ?? ''),
    reference: null,
    dayOrder: guessDayOrder(texts(date)),
    decimal,
    expenseSign: signed.some((minor) => minor < 0) ? 'negative' : 'positive',
    amountSource: isGuessed ? 'guess' : 'heading',
  }
}
