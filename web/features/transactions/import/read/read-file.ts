/** Parses the bytes of a file, and returns a table and a column mapping. The file's data do not leave the browser. */
import { readCamt } from './camt.ts'
import { isHeading, recognizeMapping, type ColumnMapping } from './column-mapping.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { readOfx } from './ofx.ts'
import { csvTable, readRowsMax, readTable, type ReadTable } from '#upload/read-table.ts'
import type { Row, Table } from '#upload/table.ts'

export type ReadFile =
  | ReadTable<ColumnMapping>
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

/**
 * Parses a file for a bank whose accounts are in the given currency. Amounts in other currencies are never treated as
 * amounts in the bank's currency.
 */
export function readFile(file: Uint8Array | string, currency: string): ReadFile {
  const read = readTable(file, tableOf, (table) => mappingOf(table, currency))
  if (!read.ok) return read
  const currencies = foreignCurrencies(read.table, read.mapping, currency)
  return currencies.length === 0 ? read : { ok: false, reason: 'currency', currencies }
}

/**
 * Recognizes the columns of a table. Every format other than CSV defines the sign of expenses, and two formats also
 * define the number notation and the fields.
 */
function mappingOf(table: Table, bankCurrency: string): ColumnMapping {
  const mapping = recognizeMapping(table, bankCurrency)
  const isFixed = table.format === 'OFX' || table.format === 'camt.053'
  return {
    ...mapping,
    ...(table.format !== 'CSV' && { expenseSign: 'negative' }),
    ...(isFixed && {
      decimal: '.',
      openFigure: '',
      currency: fixedColumns.indexOf('Moneda'),
      reference: fixedColumns.indexOf('Referencia'),
    }),
  }
}

function tableOf(text: string): Table {
  const beginning = text.slice(0, 2000)
  if (/<OFX>|OFXHEADER/i.test(beginning))
    return { format: 'OFX', columns: fixedColumns, rows: readOfx(text, readRowsMax) }
  if (/camt\.05[23]|BkToCstmr(?:Stmt|AcctRpt)/.test(beginning))
    return { format: 'camt.053', columns: fixedColumns, rows: readCamt(text, readRowsMax) }
  if (/^\s*!(?:Type|Account|Option)/im.test(beginning))
    return { format: 'QIF', columns: qifColumns, rows: readQif(text, readRowsMax) }
  return csvTable(text, isHeading)
}

const qifColumns = ['Fecha (D)', 'Descripción (P, M)', 'Monto (T)', 'Categoría (L)']
const fixedColumns = ['Fecha', 'Descripción', 'Monto', 'Categoría', 'Moneda', 'Referencia']

/**
 * Parses QIF. Each line contains a letter and a value, and `^` ends a record. Returns a row for each record, with its
 * day, description, signed amount and category.
 */
function readQif(text: string, rowsMax: number): Row[] {
  const rows: Row[] = []
  let values = new Map<string, string>()
  let begin = 1
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const code = raw.slice(0, 1)
    if (code === '!') continue
    if (values.size === 0) begin = index + 1
    if (code === '^') {
      if (values.size > 0) rows.push({ line: begin, fields: qifFields(values) })
      if (rows.length >= rowsMax) return rows
      values = new Map()
    } else if (code.trim() !== '' && !values.has(code)) values.set(code, raw.slice(1).trim())
  }
  if (values.has('D')) rows.push({ line: begin, fields: qifFields(values) })
  return rows
}

function qifFields(values: ReadonlyMap<string, string>): string[] {
  const description = [values.get('P'), values.get('M')].filter(Boolean).join(' · ')
  // `[Ahorros]` means a transfer to another account that belongs to the same person. `Casa:Luz` is a subcategory.
  const category = (values.get('L') ?? '').replace(/^\[.*\]$/, '').split(/[:/]/)[0] ?? ''
  return [values.get('D') ?? '', description, values.get('T') ?? values.get('U') ?? '', category]
}
