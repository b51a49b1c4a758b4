/** Draws a receipt: the state and the amount, the facts in rows, and how a reader verifies it. */
import { declaredBy, type Receipt, sideOf, type Transfer } from '@finanzas/contract/papers/receipt.ts'
import { receiptCopy as copy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { dayInWords, holderFacts, timeInWords } from '@finanzas/contract/papers/facts.ts'
import { colours, paper } from './look.ts'
import { drawProof } from './proof.ts'
import { type Sheet, beginSheet, drawPlate, paragraph } from './sheet.ts'
import { type FactRow, drawCheckBox, drawRows, drawStatement, partsOf } from './single-page.ts'

export function receiptSheet(receipt: Receipt): Sheet {
  const { bankName, state, transfer, recordedBy } = receipt
  const title =
    transfer === null ? copy.titles[receipt.type] : copy.transfer.titles[sideOf(receipt, transfer)]
  const sheet = beginSheet(`${title} - ${bankName}`, receipt)
  drawPlate(sheet, receipt)
  const isGood = state === 'valid' || state === 'unlisted'
  drawStatement(sheet, receipt, {
    title,
    state: stateOf(receipt),
    colour: isGood ? colours.good : colours.bad,
    amountMinor: receipt.amountMinor,
    time: receipt.recordedAt,
  })
  drawRows(sheet, rowsOf(receipt))
  if (recordedBy === 'customer') paragraph(sheet, copy.own, { size: 9.5 })
  drawCheckBox(sheet, receipt, copy.unsigned)
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

function rowsOf(receipt: Receipt): FactRow[] {
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

function transferRows(receipt: Receipt, transfer: Transfer, account: readonly string[]): FactRow[] {
  const { id, payer, payee, concept, returnId } = transfer
  const sideRow = (label: string, party: string): FactRow => [
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
