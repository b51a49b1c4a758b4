import { strToU8, zipSync } from 'fflate'

type Parts = {
  /** The content of `sheetData` of each sheet, or the whole content of a worksheet behind `sheetData`. */
  readonly sheets: readonly {
    readonly name: string
    readonly rows: string
    readonly state?: string
    readonly after?: string
  }[]
  readonly strings?: string
  /** The codes of the number formats of the styles 1, 2, … */
  readonly formats?: readonly string[]
  readonly is1904?: boolean
}

/** Returns a workbook with the parts that Excel writes. */
export function workbook({ sheets, strings = '', formats = [], is1904 = false }: Parts): Uint8Array {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const files: Record<string, string> = {
    '_rels/.rels': `<Relationships>${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, index) => relation(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`))
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, index) => `<xf numFmtId="${164 + index}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  }
  for (const [index, { rows, after = '' }] of sheets.entries())
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`
  return zipOf(files)
}

export function zipOf(files: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const)
  return zipSync(Object.fromEntries(entries), { level: 1 })
}

/** Returns a row of texts and numbers. A number may have the index of a style behind a colon, such as `46329:1`. */
export function sheetRow(line: number, cells: readonly string[]): string {
  const written = cells.map((cell, index) => {
    const place = `r="${String.fromCharCode(65 + index)}${line}"`
    const [, number, style = '0'] = /^(-?\d+(?:\.\d+)?)(?::(\d+))?$/.exec(cell) ?? []
    if (cell === '') return ''
    if (number !== undefined) return `<c ${place} s="${style}"><v>${number}</v></c>`
    return `<c ${place} t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  })
  return `<row r="${line}">${written.join('')}</row>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
