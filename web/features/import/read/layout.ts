/** Which column of a file is what: recognised by its heading in Spanish or English, or by what stands in it. */
import { bestColumn, isFigure, shareOf, textsOf } from '#ledger/table-file/columns.ts'
import { guessDayOrder, readDay, type DayOrder } from './days.ts'
import { guessDecimalMark, readFigure, type DecimalMark } from '#ledger/table-file/figures.ts'
import type { Row, Table } from '#ledger/table-file/table.ts'

export const columnRoles = ['date', 'description', 'amount', 'debit', 'credit', 'category', 'kind'] as const
export type ColumnRole = (typeof columnRoles)[number]

/** How a table is read; a column by its place, `null` where there is none. */
export type Layout = Readonly<Record<ColumnRole, number | null>> & {
  readonly dayOrder: DayOrder
  readonly decimal: DecimalMark
  /** The sign of an expense where one column has all amounts. */
  readonly expenseSign: 'negative' | 'positive'
}

/** Headings, without accents and capitals; the earlier ones count more. */
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

export function recogniseLayout({ columns, rows }: Pick<Table, 'columns' | 'rows'>): Layout {
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
  const byContent = (is: (text: string) => boolean) =>
    take([...columns.keys()].find((place) => !taken.has(place) && share(place, is) > 0.8) ?? null)

  const date = byHeading('date', isDay) ?? byContent(isDay)
  const debit = byHeading('debit', isFigure)
  const credit = byHeading('credit', isFigure)
  const amount =
    byHeading('amount', isFigure) ??
    (debit === null ? byContent((text) => isFigure(text) && !isDay(text)) : null)
  // What only one of the two columns says, the one column for all amounts says as well.
  const hasPair = debit !== null && (amount === null || credit !== null)
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
    category,
    kind,
    dayOrder: guessDayOrder(texts(date)),
    decimal,
    expenseSign: signed.some((minor) => minor < 0) ? 'negative' : 'positive',
  }
}
