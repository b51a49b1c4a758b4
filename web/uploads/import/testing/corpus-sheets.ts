/** Writes the rows of a table in the formats of tables: CSV in its dialects and encodings, HTML, and Excel. */
import { byteOrderMark, csvLine } from '@finanzas/contract/format/csv.ts'
import { sheetRow, workbook } from '#testing/workbook.ts'
import type { Random } from './random.ts'

type Lines = readonly (readonly string[])[]
type Sheet = {
  readonly name: string
  /** Whether days and amounts are numbers, which a format shows. */
  readonly isTyped: boolean
  readonly write: (lines: Lines) => string | Uint8Array
}

export function pickSheet(random: Random): Sheet {
  const kind = random.between(1, 100)
  if (kind <= 8) return { name: 'HTML', isTyped: false, write: htmlOf }
  if (kind <= 11) return { name: 'Excel with texts', isTyped: false, write: (lines) => bookOf(lines, false) }
  if (kind <= 14) return { name: 'Excel', isTyped: true, write: (lines) => bookOf(lines, true) }
  const separator = random.pick([';', ',', '\t'] as const)
  const end = random.pick(['\r\n', '\n'])
  const encoding = random.pick(['text', 'text', 'mark', 'Latin', 'UTF-16'] as const)
  return {
    name: `CSV ${JSON.stringify(separator)} ${encoding}`,
    isTyped: false,
    write: (lines) => {
      const rows = lines.map((fields) =>
        separator === '\t' ? `${fields.join('\t')}\r\n` : csvLine(fields, separator),
      )
      return encoded(rows.join('').replaceAll('\r\n', end), encoding)
    },
  }
}

function encoded(text: string, encoding: 'text' | 'mark' | 'Latin' | 'UTF-16'): string | Uint8Array {
  if (encoding === 'UTF-16') return Buffer.from(`${byteOrderMark}${text}`, 'utf16le')
  if (encoding === 'mark') return Buffer.from(`${byteOrderMark}${text}`)
  // Latin-1 does not have every sign of the corpus.
  return encoding === 'Latin' && /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : text
}

function htmlOf(lines: Lines): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const rows = lines.map(
    (fields) => `<tr>${fields.map((field) => `<td>${escaped(field)}</td>`).join('')}</tr>\n`,
  )
  return `<html><body><table>\n${rows.join('')}</table></body></html>`
}

function bookOf(lines: Lines, isTyped: boolean): Uint8Array {
  const rows = lines.map((fields, index) =>
    sheetRow(
      index + 1,
      isTyped ? fields : fields.map((field) => (/^-?\d+(\.\d+)?$/.test(field) ? `${field}\u00a0` : field)),
    ),
  )
  return workbook({ formats: ['dd/mm/yyyy'], sheets: [{ name: 'Movimientos', rows: rows.join('') }] })
}
