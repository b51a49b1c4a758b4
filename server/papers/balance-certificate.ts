/** Draws a certificate of the balance: the balance according to the bank, whose account it is, and how a reader verifies it. */
import type { BalanceCertificate } from '@finanzas/contract/papers/certificate.ts'
import { certificateCopy as copy, receiptCopy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { holderFacts, timeInWords } from '@finanzas/contract/papers/facts.ts'
import { colours, paper } from './look.ts'
import { drawProof } from './proof.ts'
import { type Sheet, beginSheet, drawPlate, paragraph } from './sheet.ts'
import { type FactRow, drawCheckBox, drawRows, drawStatement, partsOf } from './single-page.ts'

export function certificateSheet(certificate: BalanceCertificate): Sheet {
  const { bankName, bookedMinor, issuedAt, lastSeq } = certificate
  const sheet = beginSheet(`${copy.title} - ${bankName}`, certificate)
  drawPlate(sheet, certificate)
  drawStatement(sheet, certificate, {
    title: copy.title,
    state: copy.certifies,
    colour: colours.good,
    amountMinor: bookedMinor,
    time: issuedAt,
  })
  drawRows(sheet, rowsOf(certificate))
  drawCheckBox(sheet, certificate, copy.unsigned)
  paragraph(sheet, `${copy.declared} ${receiptCopy.proofOnPage}`, { size: 8, colour: colours.muted })
  sheet.document.addPage()
  sheet.y = paper.top
  drawProof(sheet, certificate, {
    heading: copy.verify,
    signed: copy.signed,
    code: receiptCopy.code,
    seq: lastSeq,
  })
  return sheet
}

function rowsOf(certificate: BalanceCertificate): FactRow[] {
  const { bankName, customer, currency, issuedAt, lastSeq } = certificate
  const [, ...account] = holderFacts(certificate)
  return [
    [statementCopy.customer, partsOf(customer)],
    ...account.map(([label, value]) => [label, [value]] as const),
    [statementCopy.bank, [bankName]],
    [statementCopy.currency, [statementCopy.currencies[currency]]],
    [copy.of, [copy.meaning]],
    [statementCopy.entry, [String(lastSeq), `${statementCopy.issued} ${timeInWords(issuedAt)}`]],
  ]
}
