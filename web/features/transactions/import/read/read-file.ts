/** Turns the bytes of a file into a table and a column mapping. No data leave the browser. */
import { readCamt } from './camt.ts'
import { isHeading, recognizeMapping, type ColumnMapping } from './column-mapping.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { readOfx } from './ofx.ts'
import { readQif } from './qif.ts'
import { csvTable, readRowsMax, readTable, type ReadTable } from '#upload/read-table.ts'
import type { Table } from '#upload/table.ts'

export type ReadFile =
  | ReadTable<ColumnMapping>
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

/** Reads a file for a bank with this currency: amounts in other currencies never count as amounts of the bank. */
export function readFile(file: Uint8Array | string, currency: string): ReadFile {
  const read = readTable(file, tableOf, mappingOf)
  if (!read.ok) return read
  const currencies = foreignCurrencies(read.table, read.mapping, currency)
  return currencies.length === 0 ? read : { ok: false, reason: 'currency', currencies }
}

/**
 * Recognizes the columns of a table. Formats other than CSV define the sign of an expense, and two of them also define
 * number formats and fields.
 */
function mappingOf(table: Table): ColumnMapping {
  const mapping = recognizeMapping(table)
  const isFixed = table.format === 'OFX' || table.format === 'camt.053'
  return {
    ...mapping,
    ...(table.format !== 'CSV' && { expenseSign: 'negative' }),
    ...(isFixed && {
      decimal: '.',
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
