/** From the bytes of a file to a table and how it is read. Nothing of it leaves the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { readCamt } from './camt.ts'
import { readCsv } from './csv.ts'
import { recogniseLayout, splitHeading, type Layout } from './layout.ts'
import { readOfx } from './ofx.ts'
import { readQif } from './qif.ts'
import type { FileFormat, Row, Table } from './table.ts'
import { decodeText } from './text.ts'

/** Statements of ten thousand movements have some megabytes. */
export const fileBytesMax = 20 * 1024 * 1024

/** A file that was read, or why not. */
export type ReadFile =
  | { readonly ok: true; readonly table: Table; readonly layout: Layout }
  | { readonly ok: false; readonly reason: 'empty' | 'binary' }
  | { readonly ok: false; readonly reason: 'long'; readonly rows: number }

export function readFile(bytes: Uint8Array): ReadFile {
  if (isBinary(bytes)) return { ok: false, reason: 'binary' }
  const text = decodeText(bytes)
  const { format, rows } = readRows(text)
  const { columns, rows: body } = format === 'CSV' ? splitHeading(rows) : { columns: namesOf(format), rows }
  if (body.length === 0) return { ok: false, reason: 'empty' }
  if (body.length > fileRowsMax) return { ok: false, reason: 'long', rows: estimatedRows(text, body) }
  const table = { format, columns, rows: body }
  const layout = recogniseLayout(table)
  // Formats that say which sign an expense has, and how numbers are written.
  const isFixed = format === 'OFX' || format === 'camt.053'
  return {
    ok: true,
    table,
    layout: {
      ...layout,
      ...(format !== 'CSV' && { expenseSign: 'negative' }),
      ...(isFixed && { decimal: '.' }),
    },
  }
}

/** Some more than may be: whether there are too many is all that has to be known of the others. */
const readRowsMax = fileRowsMax + 50

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
    : ['Fecha', 'Descripción', 'Monto', 'Categoría']
}

/** Spreadsheets and PDF: what a person may take for the file that their bank offers as CSV. */
function isBinary(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes
  const isZip = first === 0x50 && second === 0x4b
  const isOldExcel = first === 0xd0 && second === 0xcf
  const isPdf = first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46
  return isZip || isOldExcel || isPdf
}

/** About how many records there are, by the lines that the first ones took. */
function estimatedRows(text: string, rows: readonly Row[]): number {
  const lines = text.split('\n').length
  const linesRead = (rows.at(-1)?.line ?? 1) - (rows[0]?.line ?? 1) + 1
  return Math.max(rows.length, Math.round((lines * rows.length) / linesRead))
}
