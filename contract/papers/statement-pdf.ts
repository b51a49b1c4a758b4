/**
 * Renders a statement for printing as a tagged PDF. The PDF depends only on the statement's CSV, which is attached to
 * it (docs/decisions/0059).
 */
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { filedAs, monthInWords, statementCopy as copy } from './copy.ts'
import { readStatementCsv } from './csv.ts'
import { type Element, draw, elementOf, rule } from '@finanzas/contract/papers/pdf/file.ts'
import {
  type Sheet,
  beginSheet,
  dayInWords,
  drawBank,
  drawProof,
  drawRight,
  finishSheet,
  heading,
  holderFacts,
  line,
  money,
  paper,
  paragraph,
  textSize,
  turnPage,
} from './sheet.ts'
import { encoded, wrapped } from '@finanzas/contract/papers/pdf/text.ts'
import { type Statement, type StatementRow, bookedOf, isLate } from './statement.ts'
import { totalsOf } from './totals.ts'

const columns = {
  seq: paper.left,
  recordedAt: 82,
  day: 146,
  description: 204,
  amount: 462,
  balance: paper.right,
}
const descriptionWidth = 170
const lineHeight = 11

/** Renders a statement's CSV as a PDF. Throws if the text is not a statement. */
export function statementPdf(csv: string): Uint8Array<ArrayBuffer> {
  const statement = readStatementCsv(csv)
  if (statement === null) throw new SyntaxError('This is not a statement.')
  const { month, bankName } = statement
  const sheet = beginSheet(`${copy.title(monthInWords(month))} - ${bankName}`)
  drawHeading(sheet, statement)
  drawMovements(sheet, statement)
  drawHead(sheet, statement)
  return finishSheet(sheet, statement, { name: `extracto-${month}.csv`, text: csv })
}

function drawHeading(sheet: Sheet, statement: Statement): void {
  const { root } = sheet
  drawBank(sheet, statement)
  line(sheet, elementOf(root, 'H1'), {
    text: copy.title(monthInWords(statement.month)),
    size: 20,
    font: 'bold',
    height: 26,
  })
  const facts = [
    ...holderFacts(statement),
    [copy.currency, copy.currencies[statement.currency]],
    [copy.issued, `${dayInWords(statement.issuedAt)}, ${statement.issuedAt.slice(11)}`],
  ]
  for (const [label, value] of facts) {
    line(sheet, elementOf(root, 'P'), { text: `${label}: ${value}`, size: 9.5, height: 14 })
  }
  drawTotals(sheet, statement)
  sheet.y -= 14
}

function drawTotals(sheet: Sheet, statement: Statement): void {
  const { incomeMinor, spendingMinor, unlistedMinor } = totalsOf(statement)
  drawFigures(sheet, statement, [
    [copy.opening, statement.openingMinor],
    [copy.moneyIn, incomeMinor],
    [copy.moneyOut, spendingMinor],
    ...(unlistedMinor === 0 ? [] : [[copy.unlistedTotal, unlistedMinor] as const]),
    [copy.closing, statement.closingMinor],
  ])
  drawFigures(sheet, statement, [
    [copy.booked, bookedOf(statement)],
    [copy.noted, statement.notedMinor],
  ])
}

type Figure = readonly [name: string, minor: MinorUnits]

/** Draws amounts beside each other, with the name of each amount above it. */
function drawFigures(sheet: Sheet, statement: Statement, figures: readonly Figure[]): void {
  const { root, page } = sheet
  const table = elementOf(root, 'Table')
  const [names, amounts] = [
    elementOf(elementOf(table, 'THead'), 'TR'),
    elementOf(elementOf(table, 'TBody'), 'TR'),
  ]
  sheet.y -= 12
  for (const [index, [name, minor]] of figures.entries()) {
    const x = paper.left + (index * (paper.right - paper.left)) / figures.length
    draw(page, elementOf(names, 'TH'), { x, y: sheet.y, text: encoded(name), size: 8.5, isMuted: true })
    draw(page, elementOf(amounts, 'TD'), {
      x,
      y: sheet.y - 15,
      text: money(minor, statement),
      size: 11.5,
      font: 'bold',
    })
  }
  sheet.y -= 30
}

function drawMovements(sheet: Sheet, statement: Statement): void {
  const { month, rows } = statement
  const late = rows.filter((row) => isLate(row, month))
  const onTime = rows.slice(0, rows.length - late.length)
  heading(sheet, copy.movements)
  paragraph(sheet, rows.length === 0 ? copy.none : copy.basis)
  if (rows.some(({ isNote }) => isNote)) paragraph(sheet, copy.origin)
  if (rows.some(({ kind }) => kind === 'corrected')) paragraph(sheet, copy.cancelled)
  if (onTime.length > 0) drawTable(sheet, onTime, statement)
  if (late.length === 0) return
  if (sheet.y - 110 < paper.bottom) turnPage(sheet)
  else sheet.y -= 34
  heading(sheet, copy.late)
  paragraph(sheet, copy.lateBasis)
  drawTable(sheet, late, statement)
}

function drawTable(sheet: Sheet, rows: readonly StatementRow[], statement: Statement): void {
  const { root } = sheet
  const table = elementOf(root, 'Table')
  sheet.y -= 8
  drawColumns(sheet, elementOf(elementOf(table, 'THead'), 'TR'))
  const body = elementOf(table, 'TBody')
  for (const row of rows) drawRow(sheet, body, row, statement)
}

/**
 * Draws the column headings. On the first page, the headings are part of the structure tree; on later pages, the
 * headings are decoration.
 */
function drawColumns({ page, y }: Sheet, row: Element | null): void {
  const [seq, recordedAt, day, description, , , , , amount, balance] = copy.columns
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

function drawRow(sheet: Sheet, body: Element, row: StatementRow, statement: Statement): void {
  const description = wrapped(encoded(row.description), textSize, descriptionWidth)
  // The words of customers stand below the bank's words, and begin with the statement that they are the customers'.
  const small = row.declared === '' ? [filedAs(row)] : [copy.declaredWords(row.declared), filedAs(row)]
  const filed = small.flatMap((text) => wrapped(encoded(text), 7.5, descriptionWidth))
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

/** Draws the section with the hash and signature, with which a reader can verify the file. */
function drawHead(sheet: Sheet, statement: Statement): void {
  if (sheet.y - 198 < paper.bottom) turnPage(sheet)
  else sheet.y -= 34
  heading(sheet, copy.verify)
  paragraph(sheet, statement.signature === null ? copy.unsigned : copy.signed)
  if (statement.signature !== null) paragraph(sheet, copy.anybody(statement.particulars?.site))
  paragraph(sheet, copy.declared)
  drawProof(sheet, { ...statement, seq: statement.lastSeq }, copy.signedBy)
}

/**
 * Formats the time of the posting to the minute, or the date with its year if the row was recorded after the month
 * ended.
 */
function recordedInWords(row: StatementRow, { month }: Statement): string {
  const { recordedAt } = row
  if (isLate(row, month)) return dayInWords(recordedAt)
  return `${dayInWords(recordedAt, false)} ${recordedAt.slice(11)}`
}
