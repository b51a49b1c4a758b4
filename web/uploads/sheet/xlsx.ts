/** Reads the rows of an `.xlsx` workbook. */
import { RefusedFile } from '#uploads/refused-file.ts'
import type { Row } from '#uploads/table.ts'
import { attributeOf, readTags, type Tag } from '#uploads/tags.ts'
import { builtInFormat, numberFormat, type NumberFormat } from './cell.ts'
import { joinedSheets, type Sheet } from './joined-sheets.ts'
import { cellsMax, cleanText, rowsOfWorksheet, tagsPerSlice, type Book } from './worksheet.ts'
import { openZip, type Zip } from './zip.ts'

/** Maximum number of visible sheets. */
const sheetsMax = 100
/**
 * Returns the rows of the chosen sheet, or of the visible sheet that contains a table. The rows of several sheets follow each other if their
 * tables have the same heading. Throws `RefusedFile`.
 */
export async function readXlsx(
  bytes: Uint8Array,
  pause: () => Promise<void>,
  { cellsLeft = cellsMax, chosen }: { cellsLeft?: number; chosen?: string | undefined } = {},
): Promise<Row[]> {
  const zip = openZip(bytes)
  const read = (name: string) => tagsOf(zip, name, pause)
  const bookPath = await bookPathOf(read)
  const { parts, is1904 } = await partsOf(read, bookPath)
  const folder = bookPath.slice(0, bookPath.lastIndexOf('/') + 1)
  const book: Book = {
    strings: await stringsOf(read(`${folder}sharedStrings.xml`)),
    formats: await formatsOf(read(`${folder}styles.xml`)),
    is1904,
    cellsLeft,
  }
  const sheets: Sheet[] = []
  for (const { name, path } of parts) {
    const text = await zip.textOf(path)
    if (text === null) throw new RefusedFile({ reason: 'damaged' })
    sheets.push({ name, rows: await rowsOfWorksheet(text, book, pause) })
  }
  return joinedSheets(sheets, chosen)
}

type ReadPart = (name: string) => AsyncGenerator<Tag>

async function* tagsOf(zip: Zip, name: string, pause: () => Promise<void>): AsyncGenerator<Tag> {
  const text = await zip.textOf(name)
  if (text === null) return
  let count = 0
  for (const tag of readTags(text)) {
    yield tag
    count += 1
    if (count % tagsPerSlice === 0) await pause()
  }
}

/** Returns the path of the workbook's part, which the package names. */
async function bookPathOf(read: ReadPart): Promise<string> {
  for await (const tag of read('_rels/.rels'))
    if (attributeOf(tag, 'Type').endsWith('/officeDocument')) return pathOf('', attributeOf(tag, 'Target'))
  return 'xl/workbook.xml'
}

/** Returns the visible worksheets in the order of their tabs, and whether day 0 is 1 January 1904. */
async function partsOf(read: ReadPart, bookPath: string) {
  const slash = bookPath.lastIndexOf('/') + 1
  const [folder, file] = [bookPath.slice(0, slash), bookPath.slice(slash)]
  const paths = new Map<string, string>()
  for await (const tag of read(`${folder}_rels/${file}.rels`))
    if (attributeOf(tag, 'Type').endsWith('/worksheet'))
      paths.set(attributeOf(tag, 'Id'), pathOf(folder, attributeOf(tag, 'Target')))
  const parts: { name: string; path: string }[] = []
  let is1904 = false
  let isBook = false
  for await (const tag of read(bookPath)) {
    isBook ||= tag.name === 'WORKBOOK'
    if (tag.name === 'WORKBOOKPR' && !tag.isClosing) is1904 = isTrue(attributeOf(tag, 'date1904'))
    const path = tag.name === 'SHEET' && !tag.isClosing ? paths.get(attributeOf(tag, 'id')) : undefined
    const isVisible = !/hidden/i.test(attributeOf(tag, 'state'))
    if (path !== undefined && isVisible) parts.push({ name: attributeOf(tag, 'name'), path })
    if (parts.length > sheetsMax) throw new RefusedFile({ reason: 'unpacked' })
  }
  if (!isBook) throw new RefusedFile({ reason: 'damaged' })
  return { parts, is1904 }
}

/** Resolves the target of a relation. An absolute target begins with a slash. */
function pathOf(folder: string, target: string): string {
  const joined = target.startsWith('/') ? target.slice(1) : `${folder}${target}`
  return joined.replace(/[^/]+\/\.\.\//g, '').replaceAll('./', '')
}

function isTrue(text: string): boolean {
  return text === '1' || text === 'true'
}

/** Returns the texts that cells refer to by their number. A text may consist of several runs. */
async function stringsOf(tags: AsyncGenerator<Tag>): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let isPhonetic = false
  for await (const { name, isClosing, isEmpty, content } of tags) {
    if (name === 'RPH') isPhonetic = !isClosing && !isEmpty
    else if (name === 'T' && !isClosing && !isPhonetic) text += content
    else if (name === 'SI' && (isClosing || isEmpty)) {
      strings.push(cleanText(text))
      text = ''
    }
  }
  return strings
}

/** Returns the number formats in the order in which cells refer to them by `s`. */
async function formatsOf(tags: AsyncGenerator<Tag>): Promise<NumberFormat[]> {
  const codes = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isInside = false
  for await (const tag of tags) {
    if (tag.name === 'CELLXFS') isInside = !tag.isClosing
    else if (tag.isClosing) continue
    else if (tag.name === 'NUMFMT')
      codes.set(Number(attributeOf(tag, 'numFmtId')), numberFormat(attributeOf(tag, 'formatCode')))
    else if (tag.name === 'XF' && isInside) {
      const id = Number(attributeOf(tag, 'numFmtId'))
      formats.push(codes.get(id) ?? builtInFormat(id))
    }
  }
  return formats
}
