/** Certificates of the balance: the database's answer, the document that is built from it, and the signed CSV. */
import type { Database } from '@finanzas/contract/database-types.ts'
import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import type { LedgerVerdict } from './check.ts'
import { certificateCopy as copy, statementCopy } from './copy.ts'
import { isIssued, linesOf, minor, unescapeFormula } from './csv.ts'
import {
  holderParticulars,
  ofAccount,
  ofBank,
  ofHolder,
  particularLines,
  particularsInWords,
  particularsOf,
  withoutParticulars,
} from './particulars.ts'
import { type Issued, type Statement, bogotaMinute, customerOf } from './statement.ts'

export type CertificateAnswer = Database['public']['Functions']['balance_certificate']['Returns']

/** An issued certificate of the balance according to the bank, at the time of issue. It contains no note of the customer. */
export type BalanceCertificate = Issued &
  Pick<Statement, 'account' | 'lastSeq' | 'hash' | 'signature'> & { bookedMinor: MinorUnits }

export function isCertificate(document: object): document is BalanceCertificate {
  return 'bookedMinor' in document
}

/** Builds an unsigned certificate from the database's answer, whose time is the time of issue. */
export function certificateOf(
  answer: CertificateAnswer,
  { bankName, currency, particulars: ofTheBank }: Omit<Issued, 'customer' | 'issuedAt'>,
): BalanceCertificate {
  const bookedMinor = minorFromDecimal(answer.booked)
  if (bookedMinor === null) throw new Error(`balance_certificate answered ${answer.booked} for an amount.`)
  const particulars = {
    ...ofTheBank,
    ...holderParticulars({
      account_number: answer.holder_account_number,
      document_kind: answer.holder_document_kind,
      document_number: answer.holder_document_number,
    }),
  }
  return {
    bankName,
    currency,
    ...(Object.keys(particulars).length > 0 && { particulars }),
    customer: customerOf({
      fullName: answer.holder_name ?? '',
      isVerified: answer.holder_is_verified === true,
      email: answer.holder_email ?? '',
    }),
    account: answer.account,
    issuedAt: bogotaMinute(answer.certified_at),
    bookedMinor,
    lastSeq: answer.seq,
    hash: answer.hash,
    signature: null,
  }
}

export function certificateCsv(certificate: BalanceCertificate): string {
  const { bankName, particulars, customer, account, currency, issuedAt, signature } = certificate
  const lines = [
    [statementCopy.bank, escapeFormula(bankName)],
    ...particularLines(particulars, ofBank),
    [statementCopy.customer, escapeFormula(customer)],
    ...particularLines(particulars, ofHolder),
    [statementCopy.account, account],
    ...particularLines(particulars, ofAccount),
    [copy.kind, copy.title],
    [statementCopy.currency, currency],
    [statementCopy.issued, issuedAt],
    [statementCopy.booked, amountField(certificate.bookedMinor)],
    [statementCopy.entry, String(certificate.lastSeq)],
    [statementCopy.hash, certificate.hash],
    [statementCopy.note, copy.declared],
    ...(signature === null ? [] : [[statementCopy.signature, signature.kid, signature.value]]),
    [],
  ]
  return byteOrderMark + lines.map((fields) => csvLine(fields, ';')).join('')
}

/** Parses a text that `certificateCsv` could have written. Returns `null` for any other text. */
export function readCertificateCsv(text: string): BalanceCertificate | null {
  const { lines, values } = withoutParticulars(linesOf(text))
  const [bank = '', customer = '', account = '', , currency, issuedAt = '', booked = '', entry, hash = ''] =
    lines.map((fields) => fields[1] ?? '')
  const [label, kid = '', value = ''] = lines[10] ?? []
  if (currency !== 'USD' && currency !== 'COP') return null
  try {
    const particulars = particularsOf(values, unescapeFormula)
    const certificate: BalanceCertificate = {
      bankName: unescapeFormula(bank),
      ...(particulars !== undefined && { particulars }),
      customer: unescapeFormula(customer),
      account,
      currency,
      issuedAt,
      bookedMinor: minor(booked),
      lastSeq: Number(entry),
      hash,
      signature: label === statementCopy.signature ? { kid, value } : null,
    }
    return isIssued(certificate) && certificateCsv(certificate) === text ? certificate : null
  } catch {
    return null
  }
}

/**
 * Compares a certificate with the result of `public.balance_certificate` for its account and last entry. `isWhole` is
 * false when the bank has recorded something since the certificate was issued. As with a statement, only a signature
 * proves the account holder and the time of issue.
 */
export function checkCertificate(
  certificate: BalanceCertificate,
  answer: CertificateAnswer,
  bank: Pick<Issued, 'bankName' | 'currency'>,
): LedgerVerdict {
  const { signature, lastSeq } = certificate
  if (answer.account !== certificate.account) return { holds: false, fault: 'account' }
  if (signature === null && certificate.bankName !== bank.bankName) return { holds: false, fault: 'bank' }
  if (signature === null && certificate.currency !== bank.currency) return { holds: false, fault: 'currency' }
  if (answer.seq !== lastSeq || answer.hash !== certificate.hash) return { holds: false, fault: 'head' }
  const booked = certificateOf(answer, certificate)
  const isOfHolder = particularsInWords(booked.particulars) === particularsInWords(certificate.particulars)
  if (booked.bookedMinor !== certificate.bookedMinor || (signature === null && !isOfHolder))
    return { holds: false, fault: 'booked' }
  return { holds: true, isWhole: answer.is_current, otherWords: [] }
}
