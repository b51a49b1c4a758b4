/** From a file, or from rows that were copied from a spreadsheet, to a table and how it is read. Nothing is sent. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { readCsv } from '#upload/csv.ts'
import { estimatedRows, readRowsMax } from '#upload/size-limits.ts'
import type { Table } from '#upload/table.ts'
import { decodeText, isBinary } from '#upload/decode-text.ts'
import { tableOf, type ColumnMapping } from './column-mapping.ts'

/** The result, or the reason why the sheet could not be read. */
export type ReadSheet =
  | { readonly ok: true; readonly table: Table; readonly mapping: ColumnMapping }
  | { readonly ok: false; readonly reason: 'empty' | 'binary' }
  | { readonly ok: false; readonly reason: 'long'; readonly rows: number }

export function readSheet(bytes: Uint8Array): ReadSheet {
  return isBinary(bytes) ? { ok: false, reason: 'binary' } : readPasted(decodeText(bytes))
}

export function readPasted(text: string): ReadSheet {
  const sheet = tableOf(readCsv(text, readRowsMax))
  const { rows } = sheet.table
  if (rows.length === 0) return { ok: false, reason: 'empty' }
  if (rows.length > fileRowsMax) return { ok: false, reason: 'long', rows: estimatedRows(text, rows) }
  return { ok: true, ...sheet }
}
