/** From the bytes of a file to a table and how it is read. Nothing of it leaves the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { readCamt } from './camt.ts'
import { readCsv } from '#upload/csv.ts'
import { isHeading, recognizeMapping, type ColumnMapping } from './column-mapping.ts'
import { foreignCurrencies } from './expenses-from-rows.ts'
import { readOfx } from './ofx.ts'
import { readQif } from './qif.ts'
import type { FileFormat, Row, Table } from '#upload/table.ts'
import { decodeText, isBinary } from '#upload/decode-text.ts'
import { splitHeading } from '#upload/columns.ts'
import { estimatedRows, readRowsMax } from '#upload/size-limits.ts'

/** A file that was read, or why not. */
export type ReadFile =
  | { readonly ok: true; readonly table: Table; readonly mapping: ColumnMapping }
  | { readonly ok: false; readonly reason: 'empty' | 'binary' }
  | { readonly ok: false; readonly reason: 'long'; readonly rows: number }
  | { readonly ok: false; readonly reason: 'currency'; readonly currencies: readonly string[] }

/** Reads a file for a bank in that currency: no amount of another one is taken for one of its own. */
export function readFile(bytes: Uint8Array, currency: string): ReadFile {
  if (isBinary(bytes)) return { ok: false, reason: 'binary' }
  const text = decodeText(bytes)
  const { format, rows } = readRows(text)
  const { columns, rows: body } =
    format === 'CSV' ? splitHeading(rows, isHeading) : { columns: namesOf(format), rows }
  if (body.length === 0) return { ok: false, reason: 'empty' }
  if (body.length > fileRowsMax) return { ok: false, reason: 'long', rows: estimatedRows(text, body) }
  const table = { format, columns, rows: body }
  const mapping = mappingOf(table)
  const currencies = foreignCurrencies(table, mapping, currency)
  if (currencies.length > 0) return { ok: false, reason: 'currency', currencies }
  return { ok: true, table, mapping }
}

/**
 * Formats other than CSV define the sign of an expense; two of them also define the notation of numbers and the fields.
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

function readRows(text: string): { format: FileFormat; rows: Row[] } {
  const beginning = text.slice(0, 2000)
  if (/<OFX>|OFXHEADER/i.test(beginning)) return { format: 'OFX', rows: readOfx(text, readRowsMax) }
  if (/camt\.05[23]|BkToCstmr(?:Stmt|AcctRpt)/.test(beginning))
    return { format: 'camt.053', rows: readCamt(text, readRowsMax) }
  if (/^\s*!(?:Type|Account|Option)/im.test(beginning))
    return { format: 'QIF', rows: readQif(text, readRowsMax) }
  return { format: 'CSV', rows: readCsv(text, readRowsMax) }
}

function namesOf(format: FileFormat): string[] {
  return format === 'QIF'
    ? ['Fecha (D)', 'Descripción (P, M)', 'Monto (T)', 'Categoría (L)']
    : [...fixedColumns]
}

const fixedColumns = ['Fecha', 'Descripción', 'Monto', 'Categoría', 'Moneda', 'Referencia']
