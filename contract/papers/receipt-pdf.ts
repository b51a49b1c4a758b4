/**
 * Renders a receipt for printing as a tagged PDF with one page. The PDF depends only on the receipt's CSV, which is
 * attached to it (docs/decisions/0059).
 */
import { receiptCopy as copy, statementCopy } from './copy.ts'
import { elementOf } from '@finanzas/contract/papers/pdf/file.ts'
import {
  beginSheet,
  dayInWords,
  drawBank,
  drawProof,
  finishSheet,
  heading,
  holderFacts,
  line,
  money,
  paper,
  paragraph,
  turnPage,
} from './sheet.ts'
import { type Receipt, type Transfer, declaredBy, readReceiptCsv, sideOf } from './receipt.ts'

/** Renders a receipt's CSV as a PDF. Throws if the text is not a receipt. */
export function receiptPdf(csv: string): Uint8Array<ArrayBuffer> {
  const receipt = readReceiptCsv(csv)
  if (receipt === null) throw new SyntaxError('This is not a receipt.')
  const { bankName, type, amountMinor, state, signature, transfer } = receipt
  const title = transfer === null ? copy.titles[type] : copy.transfer.titles[sideOf(receipt, transfer)]
  const sheet = beginSheet(`${title} - ${bankName}`)
  const { root } = sheet
  drawBank(sheet, receipt)
  line(sheet, elementOf(root, 'H1'), { text: title, size: 20, font: 'bold', height: 34 })
  const amount = money(amountMinor, receipt)
  line(sheet, elementOf(root, 'P'), { text: amount, size: 24, font: 'bold', height: 30 })
  if (state !== 'valid')
    line(sheet, elementOf(root, 'P'), { text: copy.states[state], size: 12, font: 'bold', height: 20 })
  for (const [label, value] of factsOf(receipt)) {
    // A customer's words could otherwise begin a line, and look like a fact that the bank states.
    const text = `${label}: ${value.replaceAll(/[\s\u00a0]+/gu, ' ')}`
    line(sheet, elementOf(root, 'P'), { text, size: 10.5, height: 17, hang: 18 })
  }
  if (receipt.recordedBy === 'customer') paragraph(sheet, copy.own)
  if (sheet.y - 208 < paper.bottom) turnPage(sheet)
  else sheet.y -= 24
  heading(sheet, copy.verify)
  paragraph(sheet, signature === null ? copy.unsigned : copy.signed)
  if (signature !== null) paragraph(sheet, statementCopy.anybody(receipt.particulars?.site))
  paragraph(sheet, declaredBy(receipt))
  drawProof(sheet, receipt, copy.code)
  return finishSheet(sheet, receipt, { name: `comprobante-${receipt.transaction}.csv`, text: csv })
}

function factsOf(receipt: Receipt): (readonly [string, string])[] {
  const { transaction, currency, issuedAt, day, recordedAt, recordedBy } = receipt
  const { state, reason, transfer } = receipt
  return [
    ...(transfer === null ? [] : partiesOf(transfer)),
    [transfer === null ? copy.description : copy.transfer.description, receipt.description],
    [copy.day, dayInWords(day)],
    [copy.recordedAt, `${dayInWords(recordedAt)}, ${recordedAt.slice(11)}`],
    [copy.recordedBy, copy.recorders[recordedBy]],
    [copy.state, copy.states[state]],
    ...(reason === '' ? [] : [[copy.reason, reason] as const]),
    ...(transfer === null ? [] : idsOf(transfer)),
    ...holderFacts(receipt),
    [statementCopy.currency, statementCopy.currencies[currency]],
    [copy.transaction, transaction],
    [copy.seq, String(receipt.seq)],
    [statementCopy.issued, `${dayInWords(issuedAt)}, ${issuedAt.slice(11)}`],
  ]
}

function partiesOf({ payer, payee, concept }: Transfer): (readonly [string, string])[] {
  return [
    [copy.transfer.payer, payer],
    [copy.transfer.payee, payee],
    ...(concept === '' ? [] : [[copy.transfer.concept, concept] as const]),
  ]
}

function idsOf({ id, returnId }: Transfer): (readonly [string, string])[] {
  return [[copy.transfer.id, id], ...(returnId === '' ? [] : [[copy.transfer.return, returnId] as const])]
}
