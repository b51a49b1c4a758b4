/**
 * Writes a table as CSV, in the format that all of the product's files use: fields are separated by `;`, numbers have a
 * decimal comma, times are in Bogotá's time zone, and texts cannot run as formulas (security.md IN-08). The first line
 * describes the content in Spanish.
 */
import { isoDateTime } from '@finanzas/contract/format/bogota.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { headingLine, transactionLine } from '#money/files/transaction-lines.ts'
import { privacyCopy } from './copy.ts'

type Row = Readonly<Record<string, unknown>>

/** A database table with its name. */
export type ExportedTable = { name: string; rows: readonly Row[] }

/** A file that is generated in chunks, so that the page stays responsive between two chunks. */
export type PiecewiseFile = { name: string; pieces: Iterable<string> }

const rowsAtOnce = 2000

export function sheetOf({ name, rows }: ExportedTable): PiecewiseFile {
  const { name: fileName, about } = privacyCopy.sheets[name] ?? { name, about: name }
  const begin = byteOrderMark + csvLine([about], ';')
  if (name === 'public.transactions') {
    const lines = piecesOf(rows as readonly unknown[] as readonly Transaction[], transactionLine)
    return { name: `${fileName}.csv`, pieces: after(begin + headingLine, lines) }
  }
  const flatRows = rows.map(flattened)
  const columns = [...new Set(flatRows.flatMap((row) => Object.keys(row)))]
  const lineOf = (row: Row) =>
    csvLine(
      columns.map((column) => fieldOf(row[column])),
      ';',
    )
  return { name: `${fileName}.csv`, pieces: after(begin + csvLine(columns, ';'), piecesOf(flatRows, lineOf)) }
}

/** Replaces a column that contains an object with one column for each of its values. */
function flattened(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) =>
      isObject(value)
        ? Object.entries(value).map(([name, each]) => [`${column}_${name}`, each])
        : [[column, value]],
    ),
  )
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns all tables as a JSON file, which keeps every digit of the numbers. */
export function jsonOf(tables: readonly ExportedTable[]): PiecewiseFile {
  return { name: privacyCopy.jsonFile, pieces: jsonPieces(tables) }
}

function* jsonPieces(tables: readonly ExportedTable[]): Generator<string> {
  for (const [index, { name, rows }] of tables.entries()) {
    yield `${index === 0 ? '{' : ','}\n${JSON.stringify(name)}: [`
    let isFirst = true
    for (const piece of piecesOf(rows, (row) => `,\n${JSON.stringify(row)}`)) {
      yield isFirst ? piece.slice(1) : piece
      isFirst = false
    }
    yield ']'
  }
  yield tables.length === 0 ? '{}\n' : '\n}\n'
}

function* after(begin: string, pieces: Iterable<string>): Generator<string> {
  yield begin
  yield* pieces
}

function* piecesOf<T>(rows: readonly T[], textOf: (row: T) => string): Generator<string> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    yield rows
      .slice(from, from + rowsAtOnce)
      .map(textOf)
      .join('')
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  if (typeof value === 'boolean') return value ? privacyCopy.yes : privacyCopy.no
  if (typeof value !== 'string') return escapeFormula(JSON.stringify(value))
  return isTime.test(value) ? isoDateTime(value) : escapeFormula(value)
}
