/** Draws a receipt: the state and the amount, the facts in rows, and how a reader verifies it. */
import { declaredBy, type Receipt, sideOf, type Transfer } from '@finanzas/contract/papers/receipt.ts'
import { receiptCopy as copy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { dayInWords, holderFacts, money, timeInWords } from '@finanzas/contract/papers/facts.ts'
import { customerSeparator } from '@finanzas/contract/papers/statement.ts'
import { colours, paper } from './look.ts'
import { drawProof } from './proof.ts'
import {
  type Element,
  type Sheet,
  beginSheet,
  draw,
  drawCode,
  drawPlate,
  elementOf,
  makeRoom,
  paragraph,
  rule,
  decorate,
} from './sheet.ts'
import { heightOf, widthOf } from './text.ts'

/** A row of facts: the first text is set in ink, and the others are muted. */
type Row = readonly [label: string, texts: readonly string[]]

export function receiptSheet(receipt: Receipt): Sheet {
  const { bankName, state, transfer, recordedBy } = receipt
  const title =
    transfer === null ? copy.titles[receipt.type] : copy.transfer.titles[sideOf(receipt, transfer)]
  const sheet = beginSheet(`${title} - ${bankName}`, receipt)
  drawPlate(sheet, receipt)
  const { left } = paper
  sheet.y = draw(sheet, sheet.root, 'H1', title, { x: left, y: sheet.y, size: 12, isBold: true }) + 8
  const colour = state === 'valid' || state === 'unlisted' ? colours.good : colours.bad
  const look = { x: left, size: 12, isBold: true, colour, width: paper.right - left }
  sheet.y = draw(sheet, sheet.root, 'P', stateOf(receipt), { ...look, y: sheet.y }) + 4
  drawAmount(sheet, receipt)
  const at = { x: left, size: 10.5, colour: colours.muted, y: sheet.y }
  sheet.y = draw(sheet, sheet.root, 'P', fullTime(receipt.recordedAt), at) + 12
  drawRows(sheet, rowsOf(receipt))
  if (recordedBy === 'customer') paragraph(sheet, copy.own, { size: 9.5 })
  drawBox(sheet, receipt)
  paragraph(sheet, `${declaredBy(receipt)} ${copy.proofOnPage}`, { size: 8, colour: colours.muted })
  sheet.document.addPage()
  sheet.y = paper.top
  drawProof(sheet, receipt, { heading: copy.verify, signed: copy.signed, code: copy.code, seq: receipt.seq })
  return sheet
}

function stateOf(receipt: Receipt): string {
  const { state, transfer, type, recordedBy } = receipt
  if (state !== 'valid') return copy.states[state]
  if (transfer !== null) return copy.done[sideOf(receipt, transfer)]
  return recordedBy === 'customer' ? copy.done.note : copy.done[type]
}

function drawAmount(sheet: Sheet, receipt: Receipt): void {
  const amount = money(receipt.amountMinor, receipt)
  const size = Math.min(40, (40 * 420) / widthOf(sheet, amount, { size: 40, isBold: true }))
  const look = { x: paper.left, y: sheet.y, size, isBold: true }
  const below = draw(sheet, sheet.root, 'P', amount, look)
  const x = paper.left + widthOf(sheet, amount, look) + 10
  draw(sheet, sheet.root, 'P', receipt.currency, {
    x,
    y: sheet.y + size - 16,
    size: 14,
    colour: colours.muted,
  })
  sheet.y = below + 2
}

/** `28 de noviembre de 2026, 7:52 a. m. (hora de Bogotá)` */
function fullTime(time: string): string {
  const [hour, minute] = [Number(time.slice(11, 13)), time.slice(14)]
  const month = statementCopy.months[Number(time.slice(5, 7)) - 1] ?? ''
  const half = hour < 12 ? 'a. m.' : 'p. m.'
  return copy.moment(
    `${Number(time.slice(8, 10))} de ${month} de ${time.slice(0, 4)}`,
    `${hour % 12 || 12}:${minute} ${half}`,
  )
}

function rowsOf(receipt: Receipt): Row[] {
  const { transaction, day, recordedAt, recordedBy, reason, transfer, issuedAt, seq } = receipt
  const [, ...account] = holderFacts(receipt)
  const accountLines = account.map(([label, value]) => `${label} ${value}`)
  return [
    ...(transfer === null
      ? ([
          [statementCopy.customer, [...partsOf(receipt.customer), ...accountLines]],
          [copy.description, [receipt.description]],
          [copy.recordedBy, [copy.recorders[recordedBy]]],
        ] as const)
      : transferRows(receipt, transfer, accountLines)),
    ...(day === recordedAt.slice(0, 10) ? [] : [[copy.day, [dayInWords(day)]] as const]),
    ...(reason === '' ? [] : [[copy.reason, [reason]] as const]),
    [
      copy.transaction,
      [transaction, `${copy.seq} ${seq} · ${statementCopy.issued} ${timeInWords(issuedAt)}`],
    ],
  ]
}

function transferRows(receipt: Receipt, transfer: Transfer, account: readonly string[]): Row[] {
  const { id, payer, payee, concept, returnId } = transfer
  const sideRow = (label: string, party: string): Row => [
    label,
    [...partsOf(party), ...(party === receipt.customer ? account : [])],
  ]
  return [
    sideRow(copy.transfer.payer, payer),
    sideRow(copy.transfer.payee, payee),
    ...(concept === '' ? [] : [[copy.transfer.concept, [concept]] as const]),
    ...(id === receipt.transaction ? [] : [[copy.transfer.id, [id]] as const]),
    ...(returnId === '' ? [] : [[copy.transfer.return, [returnId]] as const]),
  ]
}

function partsOf(party: string): string[] {
  return party.split(customerSeparator)
}

const valueX = 170

/**
 * Draws the facts. The labels of the bank stand at the margin, and the words of customers only in the second column: a
 * customer's words could otherwise look like a fact that the bank states.
 */
function drawRows(sheet: Sheet, rows: readonly Row[]): void {
  const table = elementOf(sheet, sheet.root, 'Table')
  const width = paper.right - valueX
  for (const [label, texts] of rows) {
    const [first = '', ...others] = texts
    const strong = { x: valueX, size: 10.5, width }
    const soft = { x: valueX, size: 9.5, colour: colours.muted, width }
    const height =
      heightOf(sheet, first, strong) + others.reduce((sum, text) => sum + heightOf(sheet, text, soft), 0)
    makeRoom(sheet, height + 14)
    const row = elementOf(sheet, table, 'TR')
    sheet.y += 7
    draw(sheet, row, 'TH', label, {
      x: paper.left,
      y: sheet.y,
      size: 10.5,
      colour: colours.muted,
      width: 118,
      scope: 'Row',
    })
    sheet.y = drawValue(sheet, elementOf(sheet, row, 'TD'), { first, others, strong, soft }) + 7
    rule(sheet, sheet.y)
  }
  sheet.y += 18
}

type Value = {
  first: string
  others: readonly string[]
  strong: Parameters<typeof heightOf>[2] & { x: number }
  soft: Parameters<typeof heightOf>[2] & { x: number }
}

function drawValue(sheet: Sheet, cell: Element, { first, others, strong, soft }: Value): number {
  let y = draw(sheet, cell, 'P', first, { ...strong, y: sheet.y })
  for (const text of others) y = draw(sheet, cell, 'P', text, { ...soft, y })
  return y
}

/** Draws the box that says how a reader verifies the receipt without an account. */
function drawBox(sheet: Sheet, { particulars, signature }: Receipt): void {
  const site = particulars?.site
  const height = 104
  makeRoom(sheet, height + 20)
  const top = sheet.y
  decorate(sheet, (document) =>
    document.roundedRect(paper.left, top, paper.right - paper.left, height, 8).fill(colours.cream),
  )
  const x = paper.left + 16
  const side =
    site === undefined ? 0 : drawCode(sheet, sheet.root, `${site}/verificar`, { x, y: top + 14 }) + 16
  const text = { x: x + side, width: paper.right - x - side - 16 }
  const below = draw(sheet, sheet.root, 'P', copy.check.title, {
    ...text,
    y: top + 22,
    size: 11,
    isBold: true,
  })
  const words = signature === null ? copy.unsigned : copy.check.text(site)
  draw(sheet, sheet.root, 'P', words, { ...text, y: below + 4, size: 9.5, colour: colours.muted })
  sheet.y = top + height + 12
}
