/** Decides whether a file is a statement or receipt that this bank signed, without an account and without the journal. */
import { type BalanceCertificate, isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { certificateCopy, receiptCopy, monthInWords, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { particularLabels } from '@finanzas/contract/papers/particulars.ts'
import { holderFacts, money } from '@finanzas/contract/papers/facts.ts'
import {
  type Paper,
  type Receipt,
  declaredBy,
  isReceipt,
  sideOf,
  warningsAboutNotes,
} from '@finanzas/contract/papers/receipt.ts'
import type { StatementKeys } from '@finanzas/contract/papers/signature.ts'
import { type Statement, bookedOf } from '@finanzas/contract/papers/statement.ts'
import { totalsOf } from '@finanzas/contract/papers/totals.ts'
import { verifyCopy as copy } from './copy.ts'

type Fact = readonly [label: string, value: string]

export type Verdict = {
  holds: boolean
  sentences: readonly string[]
  /** Facts that an authentic document must state. The user compares these facts with the document. */
  facts: readonly Fact[]
}

/**
 * Reads the keys only if the file has a signature, and reads the bank's name only if an unknown key signed the file.
 * Throws if the keys or the name cannot be read.
 */
export async function verdictOf(
  bytes: Uint8Array,
  { readBankName, readKeys }: { readBankName: () => Promise<string>; readKeys: () => Promise<StatementKeys> },
): Promise<Verdict> {
  const verified = await verifyFile(bytes, readKeys)
  if (verified === null) return refused(copy.unreadable)
  if (verified.signature === 'unsigned') return refused(copy.unsigned)
  if (verified.signature === 'false') return refused(copy.falseSignature)
  if (verified.signature === 'unknown_key') return refused(copy.unknownKey(await readBankName()))
  const { document } = verified
  return {
    holds: true,
    sentences: [
      copy.holds,
      ...(isReceipt(document) || isCertificate(document) ? [] : [copy.movementsInFile]),
      ...warningsAboutNotes(document),
      copy.compare,
      copy.signatureOnly(document.issuedAt),
      declaredBy(document),
    ],
    facts: [...commonFacts(document), ...factsOf(document)],
  }
}

export function refused(sentence: string): Verdict {
  return { holds: false, sentences: [sentence], facts: [] }
}

function commonFacts(document: Paper): Fact[] {
  const { bankName, particulars, issuedAt } = document
  const { taxNumber } = particulars ?? {}
  return [
    [copy.facts.kind, kindOf(document)],
    [statementCopy.bank, bankName],
    ...(taxNumber === undefined ? [] : [[particularLabels.taxNumber, taxNumber] as const]),
    ...holderFacts(document),
    [statementCopy.issued, issuedAt],
    [
      copy.facts.code,
      `${document.signature?.value.slice(0, signatureDigits).replaceAll(/(?=(?:.{4})+$)/g, ' ')}…`,
    ],
  ]
}

/** Number of the signature's digits that the page shows, so that a reader can tell two documents apart. */
const signatureDigits = 16

function factsOf(document: Paper): Fact[] {
  if (isCertificate(document)) return certificateFacts(document)
  return isReceipt(document) ? receiptFacts(document) : statementFacts(document)
}

function certificateFacts(certificate: BalanceCertificate): Fact[] {
  return [[statementCopy.booked, money(certificate.bookedMinor, certificate)]]
}

function kindOf(document: Paper): string {
  if (isCertificate(document)) return certificateCopy.title
  if (!isReceipt(document)) return copy.facts.statement(monthInWords(document.month))
  const { transfer, type } = document
  return transfer === null
    ? receiptCopy.titles[type]
    : receiptCopy.transfer.titles[sideOf(document, transfer)]
}

function statementFacts(statement: Statement): Fact[] {
  const { incomeMinor, spendingMinor } = totalsOf(statement)
  return [
    [statementCopy.opening, money(statement.openingMinor, statement)],
    [statementCopy.moneyIn, money(incomeMinor, statement)],
    [statementCopy.moneyOut, money(spendingMinor, statement)],
    [statementCopy.closing, money(statement.closingMinor, statement)],
    [statementCopy.booked, money(bookedOf(statement), statement)],
    [statementCopy.noted, money(statement.notedMinor, statement)],
    [statementCopy.movements, String(statement.rows.length)],
  ]
}

function receiptFacts(receipt: Receipt): Fact[] {
  const { amountMinor, day, description, recordedBy, state, reason, transfer } = receipt
  return [
    [receiptCopy.amount, money(amountMinor, receipt)],
    [receiptCopy.day, day],
    [receiptCopy.recordedBy, receiptCopy.recorders[recordedBy]],
    [transfer === null ? receiptCopy.description : receiptCopy.transfer.description, description],
    ...(transfer === null
      ? []
      : ([
          [receiptCopy.transfer.payer, transfer.payer],
          [receiptCopy.transfer.payee, transfer.payee],
          [receiptCopy.transfer.concept, transfer.concept],
        ] as const)),
    [receiptCopy.state, receiptCopy.states[state]],
    ...(reason === '' ? [] : [[receiptCopy.reason, reason] as const]),
  ]
}
