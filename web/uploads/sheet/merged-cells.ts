import { isFigure } from '#uploads/columns.ts'
import type { Row } from '#uploads/table.ts'

/** A cell that covers further lines below it. Lines are counted from 1, and columns from 0. */
export type Merge = { readonly column: number; readonly firstLine: number; readonly lastLine: number }

/**
 * Repeats the text of a merged cell in each line that it covers and that has a figure of its own, such as one day for
 * several amounts. A figure is never repeated, because it belongs to one transaction.
 */
export function filledDown(rows: readonly Row[], merges: readonly Merge[]): readonly Row[] {
  if (merges.length === 0) return rows
  const byFirstLine = Map.groupBy(merges, ({ firstLine }) => firstLine)
  const open = new Map<number, { lastLine: number; text: string }>()
  return rows.map((row) => {
    const filled = fill(row, open)
    for (const { column, lastLine } of byFirstLine.get(row.line) ?? [])
      open.set(column, { lastLine, text: row.fields[column] ?? '' })
    return filled
  })
}

function fill(row: Row, open: Map<number, { lastLine: number; text: string }>): Row {
  const { line, fields } = row
  for (const [column, { lastLine }] of open) if (lastLine < line) open.delete(column)
  if (open.size === 0 || !fields.some(isFigure)) return row
  const texts = [...fields]
  for (const [column, { text }] of open) {
    if (text === '' || isFigure(text) || (texts[column] ?? '') !== '') continue
    while (texts.length < column) texts.push('')
    texts[column] = text
  }
  return { line, fields: texts }
}
