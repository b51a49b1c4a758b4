/**
 * A statement for print: a tagged PDF that is made from its CSV alone and has the CSV attached. A check makes the PDF again
 * from the attachment; a file that differs in any byte was changed (docs/decisions/0059).
 */
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { decimalFromMinor } from '@finanzas/contract/money.ts'
import { filedAs, monthInWords, statementCopy as copy } from './copy.ts'
import { readStatementCsv } from './csv.ts'
import {
  type Drawn,
  type Element,
  type Page,
  attachedText,
  draw,
  elementOf,
  pdfBytes,
  rule,
} from './pdf-file.ts'
import { encoded, widthOf, wrapped } from './pdf-text.ts'
import { type Statement, type StatementRow, isLate } from './statement.ts'
import { totalsOf } from './totals.ts'

/** A4 in points. */
const paper = { width: 595, height: 842, left: 44, right: 551, top: 790, bottom: 62 }
const columns = {
  seq: paper.left,
  recordedAt: 82,
  day: 146,
  description: 204,
  amount: 462,
  balance: paper.right,
}
const descriptionWidth = 170
const textSize = 8.5
const lineHeight = 11

/** Returns the PDF of a statement's CSV. Throws for a text that is not a statement. */
export function statementPdf(csv: string): Uint8Array<ArrayBuffer> {
  const statement = readStatementCsv(csv)
  if (statement === null) throw new SyntaxError('This is no statement.')
  const sheet = beginSheet(statement)
  drawHeading(sheet)
  drawMovements(sheet)
  drawHead(sheet)
  drawEdges(sheet)
  return pdfBytes({
    title: sheet.title,
    author: statement.bankName,
    madeAt: `${statement.issuedAt.replaceAll(/\D/g, '')}00`,
    size: paper,
    pages: sheet.pages,
    root: sheet.root,
    attachment: { name: `extracto-${statement.month}.csv`, text: csv },
  })
}

/** Reads the statement of a PDF that `statementPdf` made. Returns `null` for any other file and for a changed one. */
export function readStatementPdf(bytes: Uint8Array): Statement | null {
  const csv = attachedText(bytes)
  const statement = csv === null ? null : readStatementCsv(csv)
  if (csv === null || statement === null) return null
  const again = statementPdf(csv)
  return again.length === bytes.length && again.every((byte, index) => byte === bytes[index])
    ? statement
    : null
}

/** The document in progress; `y` is the position of the next line. */
type Sheet = {
  statement: Statement
  title: string
  root: Element
  pages: Page[]
  page: Page
  y: number
}

function beginSheet(statement: Statement): Sheet {
  const page = newPage(0)
  return {
    statement,
    title: `${copy.title(monthInWords(statement.month))} - ${statement.bankName}`,
    root: elementOf(null, 'Document'),
    pages: [page],
    page,
    y: paper.top,
  }
}

function newPage(number: number): Page {
  return { number, operators: [], owners: [] }
}

function turnPage(sheet: Sheet): void {
  sheet.page = newPage(sheet.pages.length)
  sheet.pages.push(sheet.page)
  sheet.y = paper.top
}

function drawHeading(sheet: Sheet): void {
  const { statement, root } = sheet
  line(sheet, elementOf(root, 'P'), { text: statement.bankName, size: 11, font: 'bold', height: 26 })
  line(sheet, elementOf(root, 'H1'), {
    text: copy.title(monthInWords(statement.month)),
    size: 20,
    font: 'bold',
    height: 26,
  })
  const facts = [
    [copy.customer, statement.customer],
    [copy.account, statement.account],
    [copy.currency, copy.currencies[statement.currency]],
    [copy.issued, `${dayInWords(statement.issuedAt)}, ${statement.issuedAt.slice(11)}`],
  ]
  for (const [label, value] of facts) {
    line(sheet, elementOf(root, 'P'), { text: `${label}: ${value}`, size: 9.5, height: 14 })
  }
  drawTotals(sheet)
}

function drawTotals(sheet: Sheet): void {
  const { statement, root, page } = sheet
  const { incomeMinor, spendingMinor, unlistedMinor } = totalsOf(statement)
  const totals = [
    [copy.opening, statement.openingMinor],
    [copy.moneyIn, incomeMinor],
    [copy.moneyOut, spendingMinor],
    ...(unlistedMinor === 0 ? [] : [[copy.unlistedTotal, unlistedMinor] as const]),
    [copy.closing, statement.closingMinor],
  ] as const
  const table = elementOf(root, 'Table')
  const [names, figures] = [
    elementOf(elementOf(table, 'THead'), 'TR'),
    elementOf(elementOf(table, 'TBody'), 'TR'),
  ]
  sheet.y -= 12
  for (const [index, [name, minor]] of totals.entries()) {
    const x = paper.left + (index * (paper.right - paper.left)) / totals.length
    draw(page, elementOf(names, 'TH'), { x, y: sheet.y, text: encoded(name), size: 8.5, isMuted: true })
    draw(page, elementOf(figures, 'TD'), {
      x,
      y: sheet.y - 15,
      text: money(minor, statement),
      size: 11.5,
      font: 'bold',
    })
  }
  sheet.y -= 44
}

function drawMovements(sheet: Sheet): void {
  const { month, rows } = sheet.statement
  const late = rows.filter((row) => isLate(row, month))
  const onTime = rows.slice(0, rows.length - late.length)
  heading(sheet, copy.movements)
  paragraph(sheet, rows.length === 0 ? copy.none : copy.basis)
  if (rows.some(({ kind }) => kind === 'corrected')) paragraph(sheet, copy.cancelled)
  if (onTime.length > 0) drawTable(sheet, onTime)
  if (late.length === 0) return
  if (sheet.y - 110 < paper.bottom) turnPage(sheet)
  else sheet.y -= 34
  heading(sheet, copy.late)
  paragraph(sheet, copy.lateBasis)
  drawTable(sheet, late)
}

function heading(sheet: Sheet, text: string): void {
  line(sheet, elementOf(sheet.root, 'H2'), { text, size: 12, font: 'bold', height: 16 })
}

function drawTable(sheet: Sheet, rows: readonly StatementRow[]): void {
  const { root } = sheet
  const table = elementOf(root, 'Table')
  sheet.y -= 8
  drawColumns(sheet, elementOf(elementOf(table, 'THead'), 'TR'))
  const body = elementOf(table, 'TBody')
  for (const row of rows) drawRow(sheet, body, row)
}

/** Draws the names of the columns: once as part of the tree, and on further pages as decoration. */
function drawColumns({ page, y }: Sheet, row: Element | null): void {
  const [seq, recordedAt, day, description, , , amount, balance] = copy.columns
  const names = [
    [columns.seq, seq],
    [columns.recordedAt, recordedAt],
    [columns.day, day],
    [columns.description, description],
  ] as const
  const cell = () => (row === null ? null : elementOf(row, 'TH'))
  for (const [x, name] of names) draw(page, cell(), { x, y, text: encoded(name), size: 7.5, isMuted: true })
  for (const [edge, name] of [
    [columns.amount, amount],
    [columns.balance, balance],
  ] as const)
    drawRight(page, cell(), { x: edge, y, text: encoded(name), size: 7.5, isMuted: true })
  rule(page, { x: paper.left, y: y - 5, width: paper.right - paper.left })
}

function drawRow(sheet: Sheet, body: Element, row: StatementRow): void {
  const { statement } = sheet
  const description = wrapped(encoded(row.description), textSize, descriptionWidth)
  const filed = wrapped(encoded(filedAs(row)), 7.5, descriptionWidth)
  const height = (description.length + filed.length) * lineHeight + 8
  if (sheet.y - 8 - height < paper.bottom) {
    turnPage(sheet)
    drawColumns(sheet, null)
  }
  const { page } = sheet
  const y = sheet.y - 18
  const cells = elementOf(body, 'TR')
  const texts = [
    [columns.seq, String(row.seq)],
    [columns.recordedAt, recordedInWords(row, statement)],
    [columns.day, dayInWords(row.day)],
  ] as const
  for (const [x, text] of texts)
    draw(page, elementOf(cells, 'TD'), { x, y, text: encoded(text), size: textSize })
  const words = elementOf(cells, 'TD')
  for (const [index, text] of description.entries())
    draw(page, words, { x: columns.description, y: y - index * lineHeight, text, size: textSize })
  for (const [index, text] of filed.entries())
    draw(page, words, {
      x: columns.description,
      y: y - (description.length + index) * lineHeight,
      text,
      size: 7.5,
      isMuted: true,
    })
  const figures = [
    [columns.amount, row.amountMinor],
    [columns.balance, row.balanceMinor],
  ] as const
  for (const [edge, minor] of figures)
    drawRight(page, elementOf(cells, 'TD'), { x: edge, y, text: money(minor, statement), size: textSize })
  sheet.y -= height
  rule(page, { x: paper.left, y: sheet.y - 5, width: paper.right - paper.left })
}

/** Draws the data by which the file is verified. */
function drawHead(sheet: Sheet): void {
  const { statement } = sheet
  const { signature } = statement
  if (sheet.y - 162 < paper.bottom) turnPage(sheet)
  else sheet.y -= 34
  heading(sheet, copy.verify)
  paragraph(sheet, signature === null ? copy.unsigned : copy.signed)
  paragraph(sheet, copy.declared)
  sheet.y -= 6
  drawDigits(sheet, { label: copy.head(statement.lastSeq), digits: [statement.hash] })
  if (signature === null) return
  const { kid, value } = signature
  drawDigits(sheet, { label: copy.signedBy(kid), digits: [value.slice(0, 64), value.slice(64)] })
}

function drawDigits(sheet: Sheet, { label, digits }: { label: string; digits: readonly string[] }): void {
  line(sheet, elementOf(sheet.root, 'P'), { text: label, size: textSize, height: 13 })
  const element = elementOf(sheet.root, 'P')
  for (const text of digits) line(sheet, element, { text, size: 8, font: 'mono', height: 13 })
}

/** Draws the footer of each page, which a screen reader skips as decoration. */
function drawEdges({ pages, title }: Sheet): void {
  for (const page of pages) {
    const [y, size] = [paper.bottom - 24, 7.5]
    draw(page, null, { x: paper.left, y, text: encoded(title), size, isMuted: true })
    const text = encoded(copy.page(page.number + 1, pages.length))
    drawRight(page, null, { x: paper.right, y, text, size, isMuted: true })
  }
}

type Line = { text: string; size: number; font?: Drawn['font']; height: number }

function line(sheet: Sheet, element: Element, { text, height, ...look }: Line): void {
  const width = paper.right - paper.left
  const lines = look.font === undefined ? wrapped(encoded(text), look.size, width) : [encoded(text)]
  for (const part of lines) {
    draw(sheet.page, element, { x: paper.left, y: sheet.y, text: part, ...look })
    sheet.y -= height
  }
}

function paragraph(sheet: Sheet, text: string): void {
  line(sheet, elementOf(sheet.root, 'P'), { text, size: textSize, height: 12 })
}

function drawRight(page: Page, element: Element | null, { x, ...drawn }: Drawn): void {
  draw(page, element, { ...drawn, x: x - widthOf(drawn.text, drawn.size) })
}

/** Formats an amount as the page does, but independently of the machine's locale: `-$1,229.56`, `-$ 1.229,56`. */
function money(minor: MinorUnits, { currency }: Statement): string {
  const [units = '', hundredths] = decimalFromMinor(Math.abs(minor) as MinorUnits).split('.')
  const group = currency === 'USD' ? ',' : '.'
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, group)
  const mark = currency === 'USD' ? '$' : '$ '
  return `${minor < 0 ? '-' : ''}${mark}${grouped}${currency === 'USD' ? '.' : ','}${hundredths}`
}

/** The minute, or the day with its year for a row that came after the month. */
function recordedInWords(row: StatementRow, { month }: Statement): string {
  const { recordedAt } = row
  if (isLate(row, month)) return dayInWords(recordedAt)
  return `${dayInWords(recordedAt, false)} ${recordedAt.slice(11)}`
}

/** `2 nov 2026`, `2 nov` */
function dayInWords(day: string, hasYear = true): string {
  const month = copy.monthsShort[Number(day.slice(5, 7)) - 1]
  return `${Number(day.slice(8, 10))} ${month}${hasYear ? ` ${day.slice(0, 4)}` : ''}`
}
