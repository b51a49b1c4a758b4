/** Converts a file or pasted rows to a table and a column mapping. The data stays in the browser. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import { splitHeading } from './columns.ts'
import { readCsv } from './csv.ts'
import type { Row, Table } from './table.ts'

/**
 * Maximum number of rows that are read, including the rows above the heading. A table with more than `fileRowsMax` rows
 * is refused as too long.
 */
const readRowsMax = fileRowsMax + 50

/** The table that was read, or the reason why the file could not be read. */
export type ReadTable<Mapping> =
  | { readonly ok: true; readonly table: Table; readonly mapping: Mapping }
  | { readonly ok: false; readonly reason: 'empty' | 'binary' }
  | { readonly ok: false; readonly reason: 'long'; readonly rows: number }

export function readTable<Mapping>(
  file: Uint8Array | string,
  tableOf: (text: string) => Table,
  recognizeMapping: (table: Table) => Mapping,
): ReadTable<Mapping> {
  if (typeof file !== 'string' && isBinary(file)) return { ok: false, reason: 'binary' }
  const text = typeof file === 'string' ? file : decodeText(file)
  const table = tableOf(text)
  const { rows } = table
  if (rows.length === 0) return { ok: false, reason: 'empty' }
  if (rows.length > fileRowsMax) return { ok: false, reason: 'long', rows: estimatedRows(text, rows) }
  return { ok: true, table, mapping: recognizeMapping(table) }
}

export function csvTable(text: string, isHeading: (row: Row) => boolean): Table {
  return { format: 'CSV', ...splitHeading(readCsv(text, readRowsMax), isHeading) }
}

/** Estimates the total number of rows from the number of lines occupied by the rows that have been read so far. */
function estimatedRows(text: string, rows: readonly Row[]): number {
  const lines = text.split('\n').length
  const linesRead = (rows.at(-1)?.line ?? 1) - (rows[0]?.line ?? 1) + 1
  return Math.max(rows.length, Math.round((lines * rows.length) / linesRead))
}

/** Decodes a file in one of the encodings that banks use: UTF-8, UTF-16 or Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Number of bytes that are examined to guess the encoding. */
const sampleLength = 1000

/**
 * Recognizes UTF-16 by the byte order mark, or by zero bytes, because UTF-16 encodes a Latin letter as two bytes of
 * which one is zero.
 */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, sampleLength)
  const zerosAt = (parity: number) =>
    sample.filter((byte, index) => byte === 0 && index % 2 === parity).length
  if (zerosAt(1) > sample.length / 4) return 'utf-16le'
  return zerosAt(0) > sample.length / 4 ? 'utf-16be' : null
}

/** Recognizes spreadsheets and PDF files, which users may mistake for the bank's CSV file. */
export function isBinary(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes
  const isZip = first === 0x50 && second === 0x4b
  const isOldExcel = first === 0xd0 && second === 0xcf
  const isPdf = first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46
  return isZip || isOldExcel || isPdf
}
