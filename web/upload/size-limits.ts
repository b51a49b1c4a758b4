/** How much of a file is read. */
import { fileRowsMax } from '@finanzas/contract/limits.ts'
import type { Row } from './table.ts'

/** Ten thousand records have some megabytes. */
export const fileBytesMax = 20 * 1024 * 1024

/** Some more than may be: whether there are too many is all that has to be known of the others. */
export const readRowsMax = fileRowsMax + 50

/** About how many records there are, by the lines that the first ones took. */
export function estimatedRows(text: string, rows: readonly Row[]): number {
  const lines = text.split('\n').length
  const linesRead = (rows.at(-1)?.line ?? 1) - (rows[0]?.line ?? 1) + 1
  return Math.max(rows.length, Math.round((lines * rows.length) / linesRead))
}
