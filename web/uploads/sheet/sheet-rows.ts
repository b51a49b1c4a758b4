/** Reads a file that contains a table: a workbook, a page, or a text with separators. */
import { lazyCode } from '#ui/lazy/lazy.ts'
import { isZip, type FileContent } from '#uploads/content.ts'
import { csvRows } from '#uploads/csv.ts'
import { nextTask } from '#uploads/next-task.ts'
import { RefusedFile } from '#uploads/refused-file.ts'
import type { FileFormat, Row } from '#uploads/table.ts'

const xlsx = lazyCode(() => import('./xlsx.ts'), 'readXlsx')
const html = lazyCode(() => import('./html.ts'), 'readHtml')
const spreadsheetXml = lazyCode(() => import('./spreadsheet-xml.ts'), 'readSpreadsheetXml')

/** Number of characters in which a page or a spreadsheet is recognized. */
const beginningLength = 4000

type Sheet = { readonly format: FileFormat; readonly separator?: string }

/** Yields the rows, and returns the name of the format. Only the code of the file's own format is loaded. */
export async function* sheetRows({ bytes, text, sheet }: FileContent): AsyncGenerator<Row, Sheet> {
  const beginning = text.slice(0, beginningLength)
  if (isZip(bytes)) {
    yield* await (
      await xlsx.load()
    )(bytes, nextTask, { chosen: sheet })
    return { format: 'Excel' }
  }
  if (beginning.includes('urn:schemas-microsoft-com:office:spreadsheet')) {
    yield* await (
      await spreadsheetXml.load()
    )(text, nextTask, sheet)
    return { format: 'Excel' }
  }
  if (/^\s*<(?:!doctype html|html|head|body|meta|style|div|table|!--)/i.test(beginning)) {
    yield* await (
      await html.load()
    )(text, nextTask)
    return { format: 'HTML' }
  }
  if (/^\s*<[?a-z]/i.test(beginning)) throw new RefusedFile({ reason: 'format', format: 'xml' })
  return { format: 'CSV', separator: yield* csvRows(text) }
}
