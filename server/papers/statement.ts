/** Draws a statement: the period, the totals, and one line for each transaction, 28 of them on the first page. */
import { dayInWords, holderFacts, money, signedMoney, timeInWords } from '@finanzas/contract/papers/facts.ts'
import { monthInWords, statementCopy as copy } from '@finanzas/contract/papers/copy.ts'
import { type Statement, type StatementRow, bookedOf, isLate } from '@finanzas/contract/papers/statement.ts'
import { totalsOf } from '@finanzas/contract/papers/totals.ts'
import { colours, paper } from './look.ts'
import { drawProof } from './proof.ts'
import {
  type Element,
  type Sheet,
  type Tag,
  beginSheet,
  decorate,
  draw,
  drawCode,
  drawPlate,
  drawRight,
  elementOf,
  heading,
  makeRoom,
  paragraph,
  rule,
} from './sheet.ts'
import { heightOf, widthOf, write } from './text.ts'

/** Left edges of the columns, and right edges of the two columns of amounts. */
const columns = {
  seq: paper.left,
  recordedAt: 78,
  day: 138,
  description: 176,
  type: 346,
  category: 370,
  amount: 486,
  balance: paper.right,
}
const descriptionWidth = columns.type - columns.description - 8
const categoryWidth = 60
const amountWidth = 64
const size = 8
const rowHeight = 15.5

export function statementSheet(statement: Statement): Sheet {
  const { month, bankName, rows } = statement
  const title = copy.title(monthInWords(month))
  const sheet = beginSheet(`${title} - ${bankName}`, statement)
  drawPlate(sheet, statement)
  drawHeading(sheet, statement, title)
  heading(sheet, copy.movements)
  const late = rows.filter((row) => isLate(row, month))
  const onTime = rows.slice(0, rows.length - late.length)
  paragraph(sheet, rows.length === 0 ? copy.none : copy.types, { size: 7.5, colour: colours.muted })
  if (onTime.length > 0) drawTable(sheet, onTime, statement)
  if (late.length > 0) drawLate(sheet, late, statement)
  drawNotes(sheet, statement)
  drawVerification(sheet, statement)
  return sheet
}

function drawHeading(sheet: Sheet, statement: Statement, title: string): void {
  const { left } = paper
  sheet.y = draw(sheet, sheet.root, 'H1', title, { x: left, y: sheet.y, size: 19, isBold: true }) + 1
  const soft = { size: 9, colour: colours.muted }
  sheet.y = draw(sheet, sheet.root, 'P', periodOf(statement), { ...soft, x: left, y: sheet.y }) + 5
  const facts = [
    ...holderFacts(statement),
    [copy.currency, copy.currencies[statement.currency]],
    [copy.issued, timeInWords(statement.issuedAt)],
  ]
  for (const [label, value] of facts) {
    const text = `${label}: ${value}`
    sheet.y = draw(sheet, sheet.root, 'P', text, {
      x: left,
      y: sheet.y,
      size: 8.5,
      width: paper.right - left,
    })
  }
  sheet.y += 7
  drawFigures(sheet, statement)
}

/** `1 al 31 de octubre de 2026`, or only until the day of issue if the month had not ended. */
function periodOf({ month, issuedAt }: Statement): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const isRunning = issuedAt.slice(0, month.length) === month
  return copy.days(isRunning ? Number(issuedAt.slice(8, 10)) : lastDay, monthInWords(month))
}

/** Draws the totals: the names of the figures above the figures. */
function drawFigures(sheet: Sheet, statement: Statement): void {
  const { incomeMinor, spendingMinor, unlistedMinor } = totalsOf(statement)
  const figures = [
    [copy.opening, money(statement.openingMinor, statement)],
    [copy.moneyIn, signedMoney(incomeMinor, statement)],
    [copy.moneyOut, signedMoney(spendingMinor, statement)],
    ...(unlistedMinor === 0 ? [] : [[copy.unlistedTotal, signedMoney(unlistedMinor, statement)] as const]),
    [copy.closing, money(statement.closingMinor, statement)],
    [copy.booked, money(bookedOf(statement), statement)],
    [copy.noted, signedMoney(statement.notedMinor, statement)],
  ] as const
  const table = elementOf(sheet, sheet.root, 'Table')
  const names = elementOf(sheet, elementOf(sheet, table, 'THead'), 'TR')
  const amounts = elementOf(sheet, elementOf(sheet, table, 'TBody'), 'TR')
  const step = (paper.right - paper.left) / figures.length
  for (const [index, [name, amount]] of figures.entries()) {
    const x = paper.left + index * step
    const look = { size: 7, colour: colours.muted }
    draw(sheet, names, 'TH', name, { ...look, x, y: sheet.y, scope: 'Column' })
    const strong = { size: 10, isBold: true }
    const fitted = { ...strong, size: fittedSize(sheet, amount, { ...strong, width: step - 6 }) }
    draw(sheet, amounts, 'TD', amount, { ...fitted, x, y: sheet.y + 10 })
  }
  sheet.y += 30
}

function drawTable(sheet: Sheet, rows: readonly StatementRow[], statement: Statement): void {
  const table = elementOf(sheet, sheet.root, 'Table')
  makeRoom(sheet, 3 * rowHeight)
  drawColumns(sheet, elementOf(sheet, elementOf(sheet, table, 'THead'), 'TR'))
  const body = elementOf(sheet, table, 'TBody')
  for (const row of rows) {
    drawRow(sheet, body, row, statement)
  }
  sheet.y += 14
}

/** Draws the names of the columns. On later pages, the names are decoration (`row` is `null`). */
function drawColumns(sheet: Sheet, row: Element | null): void {
  const [seq, recordedAt, day, description, , category, , , amount, balance] = copy.columns
  const look = { size: 7, colour: colours.muted }
  const names = [
    [columns.seq, seq],
    [columns.recordedAt, recordedAt],
    [columns.day, day],
    [columns.description, description],
    [columns.type, copy.type],
    [columns.category, category],
    [columns.amount - widthOf(sheet, amount, look), amount],
    [columns.balance - widthOf(sheet, balance, look), balance],
  ] as const
  const { y } = sheet
  if (row === null)
    decorate(sheet, (document) => {
      for (const [x, name] of names) write(document, name, { ...look, x, y })
    })
  else for (const [x, name] of names) draw(sheet, row, 'TH', name, { ...look, x, y, scope: 'Column' })
  rule(sheet, y + 11)
  sheet.y += 12
}

function drawRow(sheet: Sheet, body: Element, row: StatementRow, statement: Statement): void {
  const [words, small] = [
    { size, width: descriptionWidth },
    { size: 7, colour: colours.muted, width: columns.amount - amountWidth - columns.description },
  ]
  const declared = row.declared === '' ? '' : copy.declaredWords(row.declared)
  const category = categoryOf(row)
  const filed = { size, width: categoryWidth }
  const lines = Math.max(heightIn(sheet, row.description, words), heightIn(sheet, category, filed))
  const height = lines + (declared === '' ? 0 : heightIn(sheet, declared, small)) + rowHeight - lineHeight
  if (makeRoom(sheet, height)) drawColumns(sheet, null)
  const y = sheet.y + 3
  const cells = elementOf(sheet, body, 'TR')
  draw(sheet, cells, 'TD', String(row.seq), { x: columns.seq, y, size })
  draw(sheet, cells, 'TD', recordedInWords(row, statement), { x: columns.recordedAt, y, size })
  draw(sheet, cells, 'TD', dayInWords(row.day, false), { x: columns.day, y, size })
  const at = { ...words, x: columns.description, y }
  if (declared === '') drawCell(sheet, [cells, 'TD'], row.description, at)
  else {
    const description = elementOf(sheet, cells, 'TD')
    drawCell(sheet, [description, 'P'], row.description, at)
    draw(sheet, description, 'P', declared, { ...small, x: columns.description, y: y + lines })
  }
  draw(sheet, cells, 'TD', row.isNote ? copy.typeMarks.note : copy.typeMarks.bank, {
    x: columns.type,
    y,
    size,
  })
  drawCell(sheet, [cells, 'TD'], category, { ...filed, x: columns.category, y })
  for (const [edge, amount] of [
    [columns.amount, signedMoney(row.amountMinor, statement)],
    [columns.balance, money(row.balanceMinor, statement)],
  ] as const)
    drawRight(sheet, cells, 'TD', amount, {
      x: edge,
      y,
      size: fittedSize(sheet, amount, { size, width: amountWidth }),
    })
  sheet.y += height
  rule(sheet, sheet.y)
  sheet.y += 0.5
}

const lineHeight = 10

/** Returns the height of a text in a cell. Most texts have one line, which needs no search for breaks. */
function heightIn(sheet: Sheet, text: string, look: Parameters<typeof heightOf>[2]): number {
  return widthOf(sheet, text, look) <= look.width ? lineHeight : heightOf(sheet, text, look)
}

function drawCell(
  sheet: Sheet,
  [parent, tag]: readonly [Element, Tag],
  text: string,
  { width, ...at }: { x: number; y: number; size: number; width: number },
): void {
  draw(sheet, parent, tag, text, widthOf(sheet, text, at) <= width ? at : { ...at, width })
}

/** Returns the largest size, up to the given size, at which the text has the width. */
function fittedSize(
  sheet: Sheet,
  text: string,
  look: { size: number; isBold?: boolean; width: number },
): number {
  return look.size * Math.min(1, look.width / widthOf(sheet, text, look))
}

/** Returns the category, or the kind of a row that is not simply a deposit or an expense. */
function categoryOf({ kind, category }: StatementRow): string {
  return kind === 'deposit' || kind === 'expense' ? category : (copy.kinds[kind] ?? kind)
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

function drawLate(sheet: Sheet, late: readonly StatementRow[], statement: Statement): void {
  makeRoom(sheet, 90)
  heading(sheet, copy.late)
  paragraph(sheet, copy.lateBasis, { size: 7.5, colour: colours.muted })
  drawTable(sheet, late, statement)
}

/** Draws the sentences that explain the rows. */
function drawNotes(sheet: Sheet, { rows }: Statement): void {
  const look = { size: 8, colour: colours.muted }
  if (rows.length > 0) paragraph(sheet, copy.basis, look)
  if (rows.some(({ isNote }) => isNote)) paragraph(sheet, copy.origin, look)
  if (rows.some(({ kind }) => kind === 'corrected')) paragraph(sheet, copy.cancelled, look)
  paragraph(sheet, copy.declared, look)
}

/** Draws the QR code and the section with which a reader can verify the statement. */
function drawVerification(sheet: Sheet, statement: Statement): void {
  makeRoom(sheet, 270)
  sheet.y += 10
  drawProof(sheet, statement, {
    heading: copy.verify,
    signed: copy.signed,
    code: copy.signedBy,
    seq: statement.lastSeq,
  })
  if (statement.signature === null) paragraph(sheet, copy.unsigned)
  const site = statement.particulars?.site
  if (site === undefined || statement.signature === null) return
  drawCode(sheet, sheet.root, `${site}/verificar`, { x: paper.left, y: sheet.y + 4 })
  sheet.y += 84
}
