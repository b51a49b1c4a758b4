/** Reads the rows of a worksheet of an `.xlsx` workbook. */
import { readRowsMax } from '#uploads/read-rows.ts'
import { RefusedFile } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { attributeOf, readTags, type Tag } from '#uploads/tags.ts'
import { numberText, type NumberFormat } from './cell.ts'
import { filledDown, type Merge } from './merged-cells.ts'

/** Maximum number of columns. No bank writes so many. */
export const columnsMax = 500
/** Maximum number of cells with a value in a workbook. */
export const cellsMax = 500_000
/** Maximum number of merged ranges of a sheet. */
const mergesMax = 20_000
/** Number of tags that are read before the page may handle input. */
export const tagsPerSlice = 20_000

export type Book = {
  readonly strings: readonly string[]
  readonly formats: readonly NumberFormat[]
  readonly is1904: boolean
  cellsLeft: number
}

export async function rowsOfWorksheet(text: string, book: Book, pause: () => Promise<void>): Promise<Row[]> {
  const rows: Row[] = []
  const merges = mergesOf(text)
  let open: { line: number; fields: string[]; cell: Cell | null } | null = null
  let line = 0
  let count = 0
  for (const tag of readTags(text)) {
    count += 1
    if (count % tagsPerSlice === 0) await pause()
    if (tag.name === 'SHEETDATA' && tag.isClosing) break
    if (tag.name === 'ROW') {
      // A workbook may have many formatted rows without a value.
      if (open?.fields.some((field) => field !== '') === true)
        rows.push({ line: open.line, fields: open.fields })
      if (rows.length > readRowsMax)
        throw new RefusedFile({ reason: 'long', rows: Math.max(rows.length, countRows(text)) })
      line = tag.isClosing ? line : Math.max(line + 1, Number(attributeOf(tag, 'r')) || 0)
      open = tag.isClosing ? null : { line, fields: [], cell: null }
    } else if (open !== null) open.cell = readCellTag(tag, open.cell, open.fields, book)
  }
  return [...filledDown(rows, merges)]
}

/** Returns how many rows end with a value, without reading them. */
function countRows(text: string): number {
  const end = '</c></row>'
  let count = 0
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + end.length)) count += 1
  return count
}

type Cell = {
  readonly column: number
  readonly type: string
  readonly style: string
  value: string
  formula: string
}

/** Notes a tag within a row. Returns the cell to which the next tag belongs. */
function readCellTag(tag: Tag, cell: Cell | null, fields: string[], book: Book): Cell | null {
  if (tag.name === 'C' && !tag.isClosing) {
    const column = columnOf(attributeOf(tag, 'r')) ?? fields.length
    const begun = {
      column,
      type: attributeOf(tag, 't'),
      style: attributeOf(tag, 's'),
      value: '',
      formula: '',
    }
    return tag.isEmpty ? null : begun
  }
  if (cell === null) return null
  if (tag.name === 'C') {
    place(fields, cell.column, textOf(cell, book), book)
    return null
  }
  if (tag.isClosing) return cell
  if (tag.name === 'V' || tag.name === 'T') cell.value += tag.content
  if (tag.name === 'F') cell.formula = tag.text
  return cell
}

function place(fields: string[], column: number, text: string, book: Book): void {
  if (text === '') return
  book.cellsLeft -= 1
  if (column >= columnsMax || book.cellsLeft < 0) throw new RefusedFile({ reason: 'unpacked' })
  while (fields.length < column) fields.push('')
  fields[column] = text
}

/** Returns the text of a cell. A formula whose result is not stored is shown as it is written. */
function textOf({ type, style, value, formula }: Cell, { strings, formats, is1904 }: Book): string {
  if (value === '') return formula === '' ? '' : `=${formula}`
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'VERDADERO' : 'FALSO'
  if (type === 'str' || type === 'inlineStr' || type === 'e') return cleanText(value)
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').trim()
  return numberText(value, formats[Number(style || 0)], is1904)
}

/** Replaces line breaks, and the notation `_x000D_` in which a workbook stores control characters. */
export function cleanText(text: string): string {
  return text
    .replace(/_x([\dA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the index of the column in a reference such as `AB12`, counted from 0. */
function columnOf(reference: string): number | null {
  const [letters = ''] = /^[A-Z]{1,3}(?=\d)/i.exec(reference) ?? []
  if (letters === '') return null
  return [...letters.toUpperCase()].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Returns the merged cells that cover several lines. They are listed behind the rows of the sheet. */
function mergesOf(text: string): Merge[] {
  const merges: Merge[] = []
  for (const tag of readTags(text.slice(Math.max(0, text.lastIndexOf('sheetData>'))))) {
    if (tag.name !== 'MERGECELL' || tag.isClosing) continue
    const [from = '', to = ''] = attributeOf(tag, 'ref').split(':')
    const [column, firstLine, lastLine] = [columnOf(from), lineOf(from), lineOf(to)]
    if (column !== null && firstLine < lastLine) merges.push({ column, firstLine, lastLine })
    if (merges.length === mergesMax) break
  }
  return merges
}

function lineOf(reference: string): number {
  return Number(/\d{1,7}$/.exec(reference)?.[0] ?? 0)
}
