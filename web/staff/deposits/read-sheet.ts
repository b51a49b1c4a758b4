/** Recognizes the columns of a table of deposits by their Spanish or English headings, or by their content. */
import {
  bestColumn,
  hasAmounts,
  isFigure,
  isHeadingOfPeople,
  likeliestColumn,
  shareOf,
} from '#uploads/columns.ts'
import { guessDecimalMark } from '#uploads/figures.ts'
import { readTable, type ReadTable, type Upload } from '#uploads/read-table.ts'
import { textsOf, type Row, type Table } from '#uploads/table.ts'
import { namesCustomer, type ColumnMapping, type ColumnRole } from './deposits-from-rows.ts'

const headings: Readonly<Record<ColumnRole, readonly string[]>> = {
  customer: ['email', 'e-mail', 'correo', 'mail', 'id', 'cliente', 'usuario', 'empleado', 'customer', 'user'],
  amount: ['monto', 'valor', 'importe', 'amount', 'neto', 'pago', 'salario', 'total', 'cantidad'],
  description: ['descripcion', 'description', 'concepto', 'detalle', 'motivo', 'referencia', 'memo'],
}

/** Parses the bytes of a file, or rows that were copied from a spreadsheet. */
export function readSheet(file: Upload, sheet?: string): Promise<ReadTable<ColumnMapping>> {
  return readTable(file, { isHeading, recognizeMapping, sheet })
}

function isHeading(row: Row): boolean {
  return isHeadingOfPeople(row, headings, namesCustomer)
}

function recognizeMapping(table: Table): ColumnMapping {
  const { columns, rows } = table
  const places = [...columns.keys()]
  const named = (role: ColumnRole, is: (text: string) => boolean, taken: readonly (number | null)[]) =>
    bestColumn(
      columns,
      headings[role],
      new Set(places.filter((place) => taken.includes(place) || shareOf(textsOf(rows, place), is) < 0.5)),
    )

  const customer = likeliestColumn(table, namesCustomer)
  const others = places.filter((place) => !hasAmounts(textsOf(rows, place)))
  const amount =
    named('amount', isFigure, [customer]) ?? likeliestColumn(table, isFigure, [customer, ...others])
  const description =
    named('description', isText, [customer, amount]) ??
    // Files often contain a column of names. Without a heading, a column is therefore the description only if no other
    // column remains.
    (columns.length === 3 ? likeliestColumn(table, isText, [customer, amount]) : null)
  return { customer, amount, description, decimal: guessDecimalMark(textsOf(rows, amount)) }
}

function isText(text: string): boolean {
  return /\p{L}/u.test(text) && !namesCustomer(text)
}
