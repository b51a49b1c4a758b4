/** Reads the rows of an XML spreadsheet of Excel 2003, which banks hand out under a name that ends with `.xls`. */
import { readRowsMax } from '#uploads/read-rows.ts'
import { RefusedFile, tooManyRows } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { attributeOf, readTags } from '#uploads/tags.ts'
import { numberText } from './cell.ts'
import { joinedSheets, type Sheet } from './joined-sheets.ts'
import { cleanText, columnsMax, tagsPerSlice } from './worksheet.ts'

/** Returns the rows of the sheet that contains a table. Throws `RefusedFile`. */
export async function readSpreadsheetXml(
  text: string,
  pause: () => Promise<void>,
  chosen?: string,
): Promise<Row[]> {
  const sheets: (Sheet & { rows: Row[] })[] = []
  let row: { line: number; fields: string[] } | null = null
  let line = 0
  let column = 0
  let type = ''
  let count = 0
  for (const tag of readTags(text)) {
    count += 1
    if (count % tagsPerSlice === 0) await pause()
    if (tag.name === 'WORKSHEET' && !tag.isClosing) {
      sheets.push({ name: attributeOf(tag, 'Name'), rows: [] })
      line = 0
    } else if (tag.name === 'ROW' && !tag.isClosing) {
      line = placeOf(attributeOf(tag, 'Index'), line + 1)
      row = { line, fields: [] }
      column = 0
      const rows = sheets.at(-1)?.rows ?? []
      if (!tag.isEmpty) rows.push(row)
      if (rows.length > rowsMax) throw tooManyRows(text, { begin: /<(?:\w+:)?Row[\s>]/g, read: rows.length })
    } else if (row === null) continue
    else if (tag.name === 'ROW') row = null
    else if (tag.name === 'CELL' && !tag.isClosing) {
      column = placeOf(attributeOf(tag, 'Index'), column + 1)
      if (column > columnsMax) throw new RefusedFile({ reason: 'unpacked' })
      while (row.fields.length < column) row.fields.push('')
      const merged = Number(attributeOf(tag, 'MergeAcross')) || 0
      if (merged > 0) column += Math.min(merged, columnsMax)
    } else if (tag.name === 'DATA' && !tag.isClosing) type = attributeOf(tag, 'Type')
    if (row !== null && !tag.isClosing && tag.name !== 'ROW' && tag.name !== 'CELL' && row.fields.length > 0)
      row.fields[row.fields.length - 1] += valueText(tag.content, type)
  }
  return joinedSheets(
    sheets.map(({ name, rows }) => ({
      name,
      rows: rows.filter(({ fields }) => fields.some((field) => field !== '')),
    })),
    chosen,
  )
}

/** Maximum number of rows of a sheet. Some of them may be empty. */
const rowsMax = 2 * readRowsMax

/** Returns the stated place of a row or a cell, which leaves out empty ones, or the place after the last one. */
function placeOf(stated: string, following: number): number {
  return Math.max(Number(stated) || 0, following)
}

function valueText(content: string, type: string): string {
  if (type === 'Number') return numberText(content)
  if (type === 'DateTime') return content.trim().replace(/T00:00:00(?:\.0+)?$/, '')
  return cleanText(content)
}
