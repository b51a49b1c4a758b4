import { isFigure } from '#uploads/columns.ts'
import { RefusedFile } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'

/** A visible sheet of a workbook. */
export type Sheet = { readonly name: string; readonly rows: readonly Row[] }

/** Number of rows that are searched for a heading that two sheets have in common. */
const headingRowsMax = 30
/** Number of rows in which a table is recognized. */
const sampleRows = 1000

/**
 * Returns the rows of the chosen sheet, or of the only one that contains a table. If several sheets contain tables with
 * the same heading, such as one sheet for each month, their rows follow each other. Throws `RefusedFile` if the tables
 * differ, so that the user can choose.
 */
export function joinedSheets(sheets: readonly Sheet[], chosen?: string): Row[] {
  if (chosen !== undefined) return [...(sheets.find(({ name }) => name === chosen)?.rows ?? [])]
  const tables = tablesOf(sheets)
  const [first = sheets.find(({ rows }) => rows.length > 0), ...others] = tables
  if (first === undefined) return []
  const joined = [...first.rows]
  for (const { rows } of others) {
    const heading = rows.slice(0, headingRowsMax).findIndex((row) => isCommonHeading(row, first.rows))
    if (heading === -1) throw new RefusedFile({ reason: 'sheets', names: tables.map(({ name }) => name) })
    const before = joined.at(-1)?.line ?? 0
    for (const { line, fields } of rows.slice(heading + 1)) joined.push({ line: before + line, fields })
  }
  return joined
}

/**
 * Returns the sheets that have a row with a figure and other texts. A sheet of two columns, such as a summary, counts only
 * if all tables are as narrow.
 */
function tablesOf(sheets: readonly Sheet[]): Sheet[] {
  const widths = sheets.map(({ rows }) =>
    rows.slice(0, sampleRows).reduce((most, row) => Math.max(most, widthOf(row)), 0),
  )
  const isWide = widths.some((width) => width > 2)
  return sheets.filter((_, index) => (widths[index] ?? 0) > (isWide ? 2 : 1))
}

/** Returns the number of texts in a row with a figure, and zero for any other row. */
function widthOf({ fields }: Row): number {
  return fields.some(isFigure) ? fields.filter((field) => field !== '').length : 0
}

function isCommonHeading({ fields }: Row, rows: readonly Row[]): boolean {
  const words = fields.filter((field) => field !== '')
  return (
    words.length >= 2 &&
    !words.some(isFigure) &&
    rows.slice(0, headingRowsMax).some((row) => row.fields.join('\n') === fields.join('\n'))
  )
}
