/** Writes a workbook with the parts that every program of spreadsheets writes. */
import { strToU8, zipSync } from 'fflate'

/** Returns an `.xlsx` file with one sheet. A number becomes a number, and a text becomes a text. */
export function workbookOf(rows: readonly (readonly (string | number)[])[]): Buffer {
  const lines = rows.map((cells) => `<row>${cells.map(cellOf).join('')}</row>`)
  const parts = {
    '_rels/.rels': relationTo('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Movimientos" sheetId="1" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationTo('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const entries = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const)
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 1 }))
}

function relationTo(type: string, target: string): string {
  const namespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return `<Relationships><Relationship Id="a" Type="${namespace}/${type}" Target="${target}"/></Relationships>`
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`
}
