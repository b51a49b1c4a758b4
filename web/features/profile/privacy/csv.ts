import { byteOrderMark, csvLine, inert } from '#format/csv.ts'

/** A table: its name and its rows, as the backend has them. */
export type ExportedTable = { name: string; rows: readonly Readonly<Record<string, unknown>>[] }

/**
 * All tables as one CSV (RFC 4180, with a byte order mark for Excel): for each its name, its columns and its rows,
 * with an empty line between two tables. A cell that a spreadsheet would take for a formula begins with an
 * apostrophe (security.md IN-08).
 */
export function csvOf(tables: readonly ExportedTable[]): string {
  const sections = tables.filter(({ rows }) => rows.length > 0).map(sectionOf)
  return byteOrderMark + sections.join('\r\n')
}

function sectionOf({ name, rows }: ExportedTable): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [[name], columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((cells) => csvLine(cells.map(fieldOf), ',')).join('')
}

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // A number is one, also when it begins with a minus.
  if (typeof value === 'number') return String(value)
  return inert(typeof value === 'string' ? value : JSON.stringify(value))
}
