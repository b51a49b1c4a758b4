/** Receipts for single transactions: the database's answer, the document that is built from it, and the signed CSV. */
import type { Database } from '@finanzas/contract/database-types.ts'
import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { conceptLengthMax, descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { type BalanceCertificate, isCertificate } from './certificate.ts'
import type { LedgerVerdict } from './check.ts'
import { certificateCopy, receiptCopy as copy, statementCopy } from './copy.ts'
import { customerLengthMax, isIssued, isShort, linesOf, minor, minuteForm, unescapeFormula } from './csv.ts'
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
import {
  type Issued,
  type Statement,
  bogotaMinute,
  customerOf,
  customerSeparator,
  declaredOf,
} from './statement.ts'

export type ReceiptAnswer = Database['public']['Functions']['receipt']['Returns']

/** An issued receipt. All times are in Bogotá's time zone, as in a statement. */
export type Receipt = Issued &
  Pick<Statement, 'account' | 'hash' | 'signature'> & {
    transaction: string
    seq: number
    type: 'deposit' | 'expense'
    amountMinor: MinorUnits
    day: string
    recordedAt: string
    recordedBy: 'bank' | 'customer'
    description: string
    state: keyof typeof copy.states
    /** Reason for the correction, or empty if the transaction was not corrected. */
    reason: string
    /** The transfer that the transaction carried out or returned, or `null` for other transactions. */
    transfer: Transfer | null
  }

/** Both sides of a transfer. For the holder of the receipt, `payer` or `payee` has the same text as `customer`. */
export type Transfer = {
  /** Id of the request. Both customers' receipts of the transfer have the same id. */
  id: string
  payer: string
  payee: string
  /** Text that the payer wrote for the payee, or empty if the payer wrote none. */
  concept: string
  /** Id of the transaction that returned the transfer, or empty if the transfer was not returned. */
  returnId: string
}

/** Every document that the bank signs. */
export type Paper = Statement | Receipt | BalanceCertificate

export function isReceipt(document: object): document is Receipt {
  return 'transaction' in document
}

/**
 * Returns the sentence that says which words of the document the bank does not attest, because customers wrote them.
 */
export function declaredBy(document: Paper): string {
  if (isCertificate(document)) return certificateCopy.declared
  if (!isReceipt(document)) return statementCopy.declared
  return document.transfer === null ? copy.declared : copy.transfer.declared
}

/**
 * Returns a warning about the expenses that the customer wrote and the bank did not check, because a reader could
 * mistake them for payments. Returns an empty array if the document has no such expense.
 */
export function warningsAboutNotes(document: Paper): string[] {
  if (isCertificate(document)) return []
  if (isReceipt(document)) return document.recordedBy === 'customer' ? [copy.own] : []
  const hasNotes = document.notedMinor !== 0 || document.rows.some(({ isNote }) => isNote)
  return hasNotes ? [statementCopy.origin] : []
}

/**
 * Returns the role of the receipt's transaction in the transfer: the payer's expense, the payee's deposit, or the
 * return.
 */
export function sideOf(
  { type, transaction }: Pick<Receipt, 'type' | 'transaction'>,
  { id }: Transfer,
): 'sent' | 'received' | 'return' {
  if (transaction !== id) return 'return'
  return type === 'expense' ? 'sent' : 'received'
}

/**
 * Builds an unsigned receipt from the database's answer. Throws if the account is closed, because the answer then lacks
 * facts that a new receipt needs.
 */
export function receiptOf(answer: ReceiptAnswer, issued: Omit<Issued, 'customer'>): Receipt {
  const { type, state, recorded_by: recordedBy } = answer
  const amountMinor = minorFromDecimal(answer.amount)
  if (amountMinor === null || !isType(type) || !isRecorder(recordedBy) || !isState(state))
    throw new Error('receipt answered no receipt.')
  const customer = customerOf({
    fullName: answer.holder_name ?? '',
    isVerified: answer.holder_is_verified === true,
    email: answer.holder_email ?? '',
  })
  const transfer = transferOf(answer, customer)
  const facts = { type, transaction: answer.transaction_id }
  const particulars = { ...issued.particulars, ...holderParticulars(holderOf(answer)) }
  return {
    bankName: issued.bankName,
    ...(Object.keys(particulars).length > 0 && { particulars }),
    currency: issued.currency,
    issuedAt: issued.issuedAt,
    customer,
    account: answer.account,
    transaction: answer.transaction_id,
    seq: answer.seq,
    type,
    amountMinor,
    day: bogotaMinute(answer.dated_at).slice(0, 10),
    recordedAt: bogotaMinute(answer.recorded_at),
    recordedBy,
    // Describes the transfer in the bank's words, because the description in the list contains text that the other
    // customer wrote.
    description:
      transfer === null
        ? (answer.description ?? statementCopy.unlisted)
        : copy.transfer.descriptions[sideOf(facts, transfer)],
    state,
    reason: answer.reason ?? '',
    transfer,
    hash: answer.hash,
    signature: null,
  }
}

function holderOf(answer: ReceiptAnswer) {
  const { holder_account_number, holder_document_kind, holder_document_number } = answer
  return {
    account_number: holder_account_number,
    document_kind: holder_document_kind,
    document_number: holder_document_number,
  }
}

function transferOf(answer: ReceiptAnswer, customer: string): Transfer | null {
  const { transfer_id: id, counterparty_masked: masked } = answer
  if (id === null) return null
  const named = [declaredOf(answer.counterparty ?? ''), masked === null ? '' : copy.transfer.masked(masked)]
  const other = named.filter(Boolean).join(customerSeparator) || copy.transfer.other
  // The return of a transfer moves the money in the opposite direction.
  const isPayer = (answer.type === 'expense') === (answer.transaction_id === id)
  const [payer, payee] = isPayer ? [customer, other] : [other, customer]
  return { id, payer, payee, concept: answer.concept ?? '', returnId: answer.return_id ?? '' }
}

export function receiptCsv(receipt: Receipt): string {
  const { signature, transfer } = receipt
  const lines = [
    [statementCopy.bank, escapeFormula(receipt.bankName)],
    ...particularLines(receipt.particulars, ofBank),
    [statementCopy.customer, escapeFormula(receipt.customer)],
    ...particularLines(receipt.particulars, ofHolder),
    [statementCopy.account, receipt.account],
    ...particularLines(receipt.particulars, ofAccount),
    [copy.transaction, receipt.transaction],
    [statementCopy.currency, receipt.currency],
    [statementCopy.issued, receipt.issuedAt],
    [copy.type, statementCopy.kinds[receipt.type] ?? ''],
    [copy.amount, amountField(receipt.amountMinor)],
    [copy.day, receipt.day],
    [copy.recordedAt, receipt.recordedAt],
    [copy.recordedBy, copy.recorders[receipt.recordedBy]],
    [transfer === null ? copy.description : copy.transfer.description, escapeFormula(receipt.description)],
    [copy.state, copy.states[receipt.state]],
    [copy.reason, escapeFormula(receipt.reason)],
    [copy.seq, String(receipt.seq)],
    [statementCopy.hash, receipt.hash],
    ...(transfer === null ? [] : linesOfTransfer(transfer)),
    [statementCopy.note, declaredBy(receipt)],
    ...(signature === null ? [] : [[statementCopy.signature, signature.kid, signature.value]]),
    [],
  ]
  return byteOrderMark + lines.map((fields) => csvLine(fields, ';')).join('')
}

function linesOfTransfer({ id, payer, payee, concept, returnId }: Transfer): string[][] {
  return [
    [copy.transfer.id, id],
    [copy.transfer.payer, escapeFormula(payer)],
    [copy.transfer.payee, escapeFormula(payee)],
    [copy.transfer.concept, escapeFormula(concept)],
    [copy.transfer.return, returnId],
  ]
}

/** Parses a text that `receiptCsv` could have written. Returns `null` for any other text. */
export function readReceiptCsv(text: string): Receipt | null {
  const { lines, values } = withoutParticulars(linesOf(text))
  const [bank, customer, account, transaction, currency, issuedAt, type, amount, day, recordedAt, ...others] =
    lines.map((fields) => fields[1] ?? '')
  const [recordedBy, description, state, reason, seq, hash, ...rest] = others
  const isTransfer = lines[16]?.[0] === copy.transfer.id
  const [id = '', payer = '', payee = '', concept = '', returnId = ''] = rest.map(unescapeFormula)
  const [label, kid = '', value = ''] = lines[isTransfer ? 22 : 17] ?? []
  const [kind, recorder, known] = [
    keyOf(statementCopy.kinds, type),
    keyOf(copy.recorders, recordedBy),
    keyOf(copy.states, state),
  ]
  if (currency !== 'USD' && currency !== 'COP') return null
  if (!isType(kind) || !isRecorder(recorder) || !isState(known)) return null
  try {
    const particulars = particularsOf(values, unescapeFormula)
    const receipt: Receipt = {
      currency,
      type: kind,
      recordedBy: recorder,
      state: known,
      bankName: unescapeFormula(bank ?? ''),
      ...(particulars !== undefined && { particulars }),
      customer: unescapeFormula(customer ?? ''),
      account: account ?? '',
      transaction: transaction ?? '',
      issuedAt: issuedAt ?? '',
      amountMinor: minor(amount ?? ''),
      day: day ?? '',
      recordedAt: recordedAt ?? '',
      description: unescapeFormula(description ?? ''),
      reason: unescapeFormula(reason ?? ''),
      seq: Number(seq),
      hash: hash ?? '',
      transfer: isTransfer ? { id, payer, payee, concept, returnId } : null,
      signature: label === statementCopy.signature ? { kid, value } : null,
    }
    return isWellFormed(receipt) && receiptCsv(receipt) === text ? receipt : null
  } catch {
    return null
  }
}

function isWellFormed(receipt: Receipt): boolean {
  return (
    isIssued(receipt) &&
    isUuid(receipt.transaction) &&
    minuteForm.test(receipt.recordedAt) &&
    /^\d{4}-\d\d-\d\d$/.test(receipt.day) &&
    isShort(receipt.description, descriptionLengthMax) &&
    isShort(receipt.reason, descriptionLengthMax) &&
    (receipt.transfer === null || isTransferWellFormed(receipt.transfer))
  )
}

function isTransferWellFormed({ id, payer, payee, concept, returnId }: Transfer): boolean {
  return (
    isUuid(id) &&
    isShort(payer, customerLengthMax) &&
    isShort(payee, customerLengthMax) &&
    isShort(concept, conceptLengthMax) &&
    (returnId === '' || isUuid(returnId))
  )
}

/**
 * Compares a receipt with the result of `public.receipt` for its account and transaction. `isWhole` is false when the
 * transaction's state has changed since the receipt was issued. As with a statement, only a signature proves the
 * account holder and the time of issue.
 */
export function checkReceipt(
  receipt: Receipt,
  answer: ReceiptAnswer | null,
  bank: Pick<Issued, 'bankName' | 'currency'>,
): LedgerVerdict {
  const { seq, signature } = receipt
  if (answer === null || answer.account !== receipt.account) return { holds: false, fault: 'account' }
  if (signature === null && receipt.bankName !== bank.bankName) return { holds: false, fault: 'bank' }
  if (signature === null && receipt.currency !== bank.currency) return { holds: false, fault: 'currency' }
  if (answer.hash !== receipt.hash) return { holds: false, fault: 'head' }
  // For a closed account, the answer contains neither the transaction's state nor the party that recorded it.
  const { recordedBy, state, reason } = receipt
  const known = { ...answer, recorded_by: answer.recorded_by ?? recordedBy, state: answer.state ?? state }
  const booked = receiptOf(known, receipt)
  const isSame = (
    ['transaction', 'seq', 'type', 'amountMinor', 'day', 'recordedAt', 'recordedBy'] as const
  ).every((fact) => booked[fact] === receipt[fact])
  const isWhole = booked.state === state
  // For a closed account, the database no longer knows which transaction returned a transfer.
  const isOfTransfer = answer.state === null || booked.transfer?.id === receipt.transfer?.id
  const isReturned = booked.transfer?.returnId === receipt.transfer?.returnId
  // An unsigned receipt might be forged if its state, return, holder or reason differs from the bank's record.
  const isOfHolder = particularsInWords(booked.particulars) === particularsInWords(receipt.particulars)
  const isForged = signature === null && !(isWhole && isReturned && isOfHolder && booked.reason === reason)
  if (!isSame || !isOfTransfer || isForged) return { holds: false, fault: 'row', seq }
  return { holds: true, isWhole, otherWords: hasWordsOf(receipt, booked) ? [] : [seq] }
}

function hasWordsOf(receipt: Receipt, { description, transfer }: Receipt): boolean {
  return (
    receipt.description === description &&
    (['payer', 'payee', 'concept'] as const).every((fact) => receipt.transfer?.[fact] === transfer?.[fact])
  )
}

function keyOf(words: Readonly<Record<string, string>>, word: string | undefined): string | undefined {
  return Object.keys(words).find((key) => words[key] === word)
}

function isType(type: string | undefined): type is Receipt['type'] {
  return type === 'deposit' || type === 'expense'
}

function isRecorder(recorder: string | null | undefined): recorder is Receipt['recordedBy'] {
  return recorder === 'bank' || recorder === 'customer'
}

function isState(state: string | null | undefined): state is Receipt['state'] {
  return typeof state === 'string' && Object.hasOwn(copy.states, state)
}
