/** Which column of a table is what: recognised by its heading in Spanish or English, or by what stands in it. */
import { bestColumn, hasAmounts, isFigure, shareOf, splitHeading, textsOf } from '#upload/columns.ts'
import { guessDecimalMark, type DecimalMark } from '#upload/figures.ts'
import type { Row, Table } from '#upload/table.ts'

export const columnRoles = ['customer', 'amount', 'description'] as const
export type ColumnRole = (typeof columnRoles)[number]

/** Mapping of a table's columns, each by its place; `null` for a missing one. */
export type ColumnMapping = Readonly<Record<ColumnRole, number | null>> & { readonly decimal: DecimalMark }

const headings: Readonly<Record<ColumnRole, readonly string[]>> = {
  customer: ['email', 'e-mail', 'correo', 'mail', 'id', 'cliente', 'usuario', 'empleado', 'customer', 'user'],
  amount: ['monto', 'valor', 'importe', 'amount', 'neto', 'pago', 'salario', 'total', 'cantidad'],
  description: ['descripcion', 'description', 'concepto', 'detalle', 'motivo', 'referencia', 'memo'],
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** An address or an id, which may name a customer. */
export function namesCustomer(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) || uuid.test(text)
}

/** The rows as a table, with a mapping as far as it can be guessed. */
export function tableOf(rows: readonly Row[]): { table: Table; mapping: ColumnMapping } {
  const { columns, rows: body } = splitHeading(rows, isHeading)
  const table: Table = { format: 'CSV', columns, rows: body }
  return { table, mapping: recognizeMapping(table) }
}

function isHeading({ fields }: Row): boolean {
  const named = columnRoles.filter((role) => bestColumn(fields, headings[role]) !== null)
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
    // Names stand beside addresses: without a heading only a column that is alone can be the description.
    (columns.length === 3 ? most(isText, [customer, amount]) : null)
  return { customer, amount, description, decimal: guessDecimalMark(textsOf(rows, amount)) }
}

function isText(text: string): boolean {
  return /\p{L}/u.test(text) && !namesCustomer(text)
}
