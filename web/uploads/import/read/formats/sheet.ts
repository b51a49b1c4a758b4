/** Reads a table: a workbook, a page, or a text with separators. */
import type { Reading } from '#uploads/import/read/reader.ts'
import type { FileContent } from '#uploads/content.ts'
import { sheetRows } from '#uploads/sheet/sheet-rows.ts'

export async function* readSheet(file: FileContent): Reading {
  return { ...(yield* sheetRows(file)), fields: null }
}
