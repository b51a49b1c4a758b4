/** Receipts for single transactions: the database's answer, the document that is built from it, and the signed CSV. */
import type { Database } from '@finanzas/contract/database-types.ts'
import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/csv.ts'
import { descriptionLengthMax } from '@finanzas/contract/limits.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isUuid } from '@finanzas/contract/uuid.ts'
import type { LedgerVerdict } from './check.ts'
import { receiptCopy as copy, statementCopy } from './copy.ts'
import { isIssued, isShort, linesOf, minor, minuteForm, unescapeFormula } from './csv.ts'
import { type Issued, type Statement, bogotaMinute, customerOf } from './statement.ts'

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
  }

export function isReceipt(document: Statement | Receipt): document is Receipt {
  return 'transaction' in document
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
  return {
    bankName: issued.bankName,
    currency: issued.currency,
    issuedAt: issued.issuedAt,
    customer: customerOf({ fullName: answer.holder_name ?? '', email: answer.holder_email ?? '' }),
    account: answer.account,
    transaction: answer.transaction_id,
    seq: answer.seq,
    type,
    amountMinor,
    day: bogotaMinute(answer.dated_at).slice(0, 10),
    recordedAt: bogotaMinute(answer.recorded_at),
    recordedBy,
    description: answer.description ?? statementCopy.unlisted,
    state,
    reason: answer.reason ?? '',
    hash: answer.hash,
    signature: null,
  }
}

export function receiptCsv(receipt: Receipt): string {
  const { signature } = receipt
  const lines = [
    [statementCopy.bank, escapeFormula(receipt.bankName)],
    [statementCopy.customer, escapeFormula(receipt.customer)],
    [statementCopy.account, receipt.account],
    [copy.transaction, receipt.transaction],
    [statementCopy.currency, receipt.currency],
    [statementCopy.issued, receipt.issuedAt],
    [copy.type, statementCopy.kinds[receipt.type] ?? ''],
    [copy.amount, amountField(receipt.amountMinor)],
    [copy.day, receipt.day],
    [copy.recordedAt, receipt.recordedAt],
    [copy.recordedBy, copy.recorders[receipt.recordedBy]],
    [copy.description, escapeFormula(receipt.description)],
    [copy.state, copy.states[receipt.state]],
    [copy.reason, escapeFormula(receipt.reason)],
    [copy.seq, String(receipt.seq)],
    [statementCopy.hash, receipt.hash],
    [statementCopy.note, copy.declared],
    ...(signature === null ? [] : [[statementCopy.signature, signature.kid, signature.value]]),
    [],
  ]
  return byteOrderMark + lines.map((fields) => csvLine(fields, ';')).join('')
}

/** Parses a text that `receiptCsv` could have written. Returns `null` for any other text. */
export function readReceiptCsv(text: string): Receipt | null {
  const lines = linesOf(text)
  const [bank, customer, account, transaction, currency, issuedAt, type, amount, day, recordedAt, ...others] =
    lines.map((fields) => fields[1] ?? '')
  const [recordedBy, description, state, reason, seq, hash] = others
  const [label, kid = '', value = ''] = lines[17] ?? []
  const [kind, recorder, known] = [
    keyOf(statementCopy.kinds, type),
    keyOf(copy.recorders, recordedBy),
    keyOf(copy.states, state),
  ]
  if (currency !== 'USD' && currency !== 'COP') return null
  if (!isType(kind) || !isRecorder(recorder) || !isState(known)) return null
  try {
    const receipt: Receipt = {
      currency,
      type: kind,
      recordedBy: recorder,
      state: known,
      bankName: unescapeFormula(bank ?? ''),
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
    isShort(receipt.reason, descriptionLengthMax)
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
  // If the state or reason in an unsigned receipt differs from the bank's, the receipt may have been forged.
  const isForged = signature === null && !(isWhole && booked.reason === reason)
  if (!isSame || isForged) return { holds: false, fault: 'row', seq }
  return { holds: true, isWhole, otherWords: booked.description === receipt.description ? [] : [seq] }
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
