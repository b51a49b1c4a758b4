/** Recognizes the columns of a sheet by their Spanish or English headings, or by their content. */
import { bestColumn, hasAmounts, isFigure, shareOf } from '#upload/columns.ts'
import { guessDecimalMark } from '#upload/figures.ts'
import { csvTable, readTable, type ReadTable } from '#upload/read-table.ts'
import { textsOf, type Row, type Table } from '#upload/table.ts'
import { namesCustomer, type ColumnMapping, type ColumnRole } from './deposits-from-rows.ts'

const headings: Readonly<Record<ColumnRole, readonly string[]>> = {
  customer: ['email', 'e-mail', 'correo', 'mail', 'id', 'cliente', 'usuario', 'empleado', 'customer', 'user'],
  amount: ['monto', 'valor', 'importe', 'amount', 'neto', 'pago', 'salario', 'total', 'cantidad'],
  description: ['descripcion', 'description', 'concepto', 'detalle', 'motivo', 'referencia', 'memo'],
}

/** Parses the bytes of a file, or rows that were copied from a spreadsheet. */
export function readSheet(sheet: Uint8Array | string): ReadTable<ColumnMapping> {
  return readTable(sheet, (text) => csvTable(text, isHeading), recognizeMapping)
}

function isHeading({ fields }: Row): boolean {
  const named = Object.values(headings).filter((words) => bestColumn(fields, words) !== null)
  return named.length >= 2 && !fields.some((field) => namesCustomer(field) || isFigure(field))
}

function recognizeMapping({ columns, rows }: Table): ColumnMapping {
  const places = [...columns.keys()]
  const share = (place: number, is: (text: string) => boolean) => shareOf(textsOf(rows, place), is)
  const most = (is: (text: string) => boolean, taken: readonly (number | null)[]) =>
    places
      .filter((place) => !taken.includes(place) && share(place, is) > 0.5)
      .sort((one, other) => share(other, is) - share(one, is))[0] ?? null
  const named = (role: ColumnRole, is: (text: string) => boolean, taken: readonly (number | null)[]) =>
    bestColumn(
      columns,
      headings[role],
      new Set(places.filter((place) => taken.includes(place) || share(place, is) < 0.5)),
    )

  const customer = most(namesCustomer, [])
  const others = places.filter((place) => !hasAmounts(textsOf(rows, place)))
  const amount = named('amount', isFigure, [customer]) ?? most(isFigure, [customer, ...others])
  const description =
    named('description', isText, [customer, amount]) ??
    // Sheets often contain a column of names. Without a heading, a column is therefore the description only if no other
    // column remains.
    (columns.length === 3 ? most(isText, [customer, amount]) : null)
  return { customer, amount, description, decimal: guessDecimalMark(textsOf(rows, amount)) }
}

function isText(text: string): boolean {
  return /\p{L}/u.test(text) && !namesCustomer(text)
}
