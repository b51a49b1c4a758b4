/** Reads a text with separators as a table. */
import { csvRows } from '#upload/csv.ts'
import type { FileContent, Reading } from '#features/transactions/import/read/reader.ts'

export function* readCsvFile({ text }: FileContent): Reading {
  yield* csvRows(text)
  return { format: 'CSV', fields: null }
}
