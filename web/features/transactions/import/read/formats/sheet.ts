/** Reads a table: a workbook, a page, or a text with separators. */
import type { Reading } from '#features/transactions/import/read/reader.ts'
import type { FileContent } from '#upload/content.ts'
import { sheetRows } from '#upload/sheet/sheet-rows.ts'

export async function* readSheet(file: FileContent): Reading {
  return { ...(yield* sheetRows(file)), fields: null }
}
