/** Reads the tables of an HTML page. Banks also hand out such a page under a name that ends with `.xls`. */
import { readRowsMax } from '#uploads/read-rows.ts'
import { tooManyRows } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { attributeOf, readTags, type Tag } from '#uploads/tags.ts'
import { filledDown, type Merge } from './merged-cells.ts'
import { columnsMax, tagsPerSlice } from './worksheet.ts'

/** Maximum nesting depth of tables. Deeper tables are read as text of the cell that contains them. */
const depthMax = 20
/** Maximum number of lines that a cell covers. */
const coveredLinesMax = 10_000

type Cell = { readonly column: number; readonly lines: number; readonly width: number; text: string }

type OpenTable = {
  /** The last line that a cell of an earlier row covers, by column. */
  readonly covered: Map<number, number>
  row: { readonly line: number; readonly fields: string[] } | null
  cell: Cell | null
}

type Page = {
  /** The rows that contain a text. */
  readonly rows: Row[]
  readonly merges: Merge[]
  readonly tables: OpenTable[]
  line: number
}

/** Returns the rows of all tables, counted from 1 in the order in which they begin. Throws `RefusedFile`. */
export async function readHtml(text: string, pause: () => Promise<void>): Promise<readonly Row[]> {
  const page: Page = { rows: [], merges: [], tables: [], line: 0 }
  /** The element whose content is not part of the page's text. */
  let unseen = ''
  let count = 0
  for (const tag of readTags(text)) {
    count += 1
    if (count % tagsPerSlice === 0) await pause()
    if (page.rows.length > readRowsMax)
      throw tooManyRows(text, { begin: /<tr[\s>]/gi, read: page.rows.length })
    if (unseen !== '') unseen = tag.isClosing && tag.name === unseen ? '' : unseen
    else if (/^(?:SCRIPT|STYLE)$/.test(tag.name) && !tag.isClosing && !tag.isEmpty) unseen = tag.name
    else readTag(page, tag)
  }
  while (page.tables.length > 0) closeTable(page)
  return filledDown(page.rows, page.merges)
}

function readTag(page: Page, tag: Tag): void {
  if (tag.name === 'TABLE' && tag.isClosing) closeTable(page)
  else if (tag.name === 'TABLE' && page.tables.length < depthMax)
    page.tables.push({ covered: new Map(), row: null, cell: null })
  const table = page.tables.at(-1)
  if (table === undefined) return
  if (tag.name === 'TR') {
    closeRow(page, table)
    if (tag.isClosing) return
    page.line += 1
    table.row = { line: page.line, fields: [] }
  } else if (tag.name === 'TD' || tag.name === 'TH') {
    closeCell(page, table)
    if (!tag.isClosing && table.row !== null) table.cell = openCell(table.row, table.covered, tag)
  } else if (table.cell !== null) table.cell.text += `${isInline(tag) ? '' : ' '}${tag.content}`
}

/** Returns whether the text before the element and the text in it are one word. */
function isInline({ name }: Tag): boolean {
  return /^(?:A|B|EM|FONT|I|SPAN|STRONG|SUB|SUP|U)$/.test(name)
}

function openCell({ line, fields }: NonNullable<OpenTable['row']>, covered: OpenTable['covered'], tag: Tag) {
  let column = fields.length
  while (column < columnsMax && (covered.get(column) ?? 0) >= line) column += 1
  return {
    column,
    lines: spanOf(tag, 'rowspan', coveredLinesMax),
    width: spanOf(tag, 'colspan', columnsMax),
    text: tag.content,
  }
}

function spanOf(tag: Tag, name: string, max: number): number {
  return Math.min(max, Math.max(1, Number.parseInt(attributeOf(tag, name), 10) || 1))
}

function closeTable(page: Page): void {
  const table = page.tables.at(-1)
  if (table !== undefined) closeRow(page, table)
  page.tables.pop()
}

function closeRow(page: Page, table: OpenTable): void {
  closeCell(page, table)
  if (table.row?.fields.some((field) => field !== '') === true) page.rows.push(table.row)
  table.row = null
}

function closeCell({ merges }: Page, table: OpenTable): void {
  const { row, cell, covered } = table
  table.cell = null
  if (row === null || cell === null || cell.column >= columnsMax) return
  const { column, lines, width, text } = cell
  const lastLine = row.line + lines - 1
  if (lines > 1) merges.push({ column, firstLine: row.line, lastLine })
  for (let each = column; each < Math.min(column + width, columnsMax); each += 1) {
    if (lines > 1) covered.set(each, lastLine)
    row.fields[each] = ''
  }
  for (let each = 0; each < column; each += 1) row.fields[each] ??= ''
  row.fields[column] = text.replace(/\s+/g, ' ').trim()
}
