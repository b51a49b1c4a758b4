/** A monthly statement: the bank's answer, and the document made of it. */
import { isoDateTime } from '@finanzas/contract/bogota.ts'
import { statementNameLengthMax } from '@finanzas/contract/limits.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isPlainLine } from '@finanzas/contract/plain-line.ts'

/** The answer of `public.statement`: a page of the month, or all of it. */
export type StatementAnswer = {
  account: string
  /** `2026-11` */
  month: string
  opening: number
  closing: number
  first_seq: number
  last_seq: number
  /** Hash of the last entry, in hex. */
  hash: string
  /** Whether the month has no later entry. */
  is_whole: boolean
  /** The entry at which the next page begins; `null` on the last page. */
  next_after_seq: number | null
  entries: readonly {
    seq: number
    kind: string
    amount: number
    balance: number
    recorded_at: string
    date: string | null
    description: string | null
    category: string | null
  }[]
}

/** One entry of the journal as a statement shows it. Times are Bogotá's: `2026-11-03 14:20`; days `2026-11-02`. */
export type StatementRow = {
  seq: number
  recordedAt: string
  /** Description of the transaction. Like the category, it is empty for a row that is no longer listed. */
  day: string
  description: string
  /** Empty for what the bank recorded: its category is the customer's word. */
  category: string
  kind: string
  amountMinor: MinorUnits
  balanceMinor: MinorUnits
}

/** An issued statement: opening + amounts = closing. */
export type Statement = {
  bankName: string
  customer: string
  account: string
  currency: 'USD' | 'COP'
  month: string
  issuedAt: string
  openingMinor: MinorUnits
  closingMinor: MinorUnits
  firstSeq: number
  lastSeq: number
  hash: string
  /** The bank's; `null` without one. The key's id and its signature of everything else, both in hexadecimal digits. */
  signature: { readonly kid: string; readonly value: string } | null
  rows: readonly StatementRow[]
}

/** Between the holder's name and address. */
export const customerSeparator = ' · '

/** Stands behind a name: the customer typed it, and the bank compared it with nothing. */
export const declaredName = ' (nombre declarado)'

/** Digits, signs of money, and the signs by which a statement marks a name or an address. */
const notOfName = /[\p{N}\p{Sc}@·()]/u

/**
 * The holder, as a statement names them. People type their names and can change them before each statement: the address alone
 * stands for a name that could be a sentence, a sum or another address.
 */
export function customerOf({ fullName, email }: { fullName: string; email: string }): string {
  const name = fullName.trim().normalize('NFC')
  const isName =
    isPlainLine(name) && !notOfName.test(name) && Array.from(name).length <= statementNameLengthMax
  return [isName ? name + declaredName : '', email].filter(Boolean).join(customerSeparator)
}

export type Issued = Pick<Statement, 'bankName' | 'customer' | 'currency' | 'issuedAt'>

/**
 * Reads the whole month page by page, with entries booked meanwhile: entries never change, and their head is that of
 * the last page.
 */
export async function readWhole(
  readPage: (afterSeq: number) => Promise<StatementAnswer>,
): Promise<StatementAnswer> {
  const entries: StatementAnswer['entries'][number][] = []
  let afterSeq = 0
  for (;;) {
    const page = await readPage(afterSeq)
    entries.push(...page.entries)
    if (page.next_after_seq === null) return { ...page, entries }
    afterSeq = page.next_after_seq
  }
}

/** The statement that an answer makes, without a signature. Throws for an answer without amounts. */
export function statementOf(answer: StatementAnswer, issued: Issued, unlisted: string): Statement {
  return {
    bankName: issued.bankName,
    customer: issued.customer,
    currency: issued.currency,
    issuedAt: issued.issuedAt,
    account: answer.account,
    month: answer.month,
    openingMinor: minor(answer.opening),
    closingMinor: minor(answer.closing),
    firstSeq: answer.first_seq,
    lastSeq: answer.last_seq,
    hash: answer.hash,
    signature: null,
    rows: answer.entries.map((entry) => ({
      seq: entry.seq,
      recordedAt: bogotaMinute(entry.recorded_at),
      day: entry.date === null ? '' : bogotaMinute(entry.date).slice(0, 10),
      description: entry.description ?? unlisted,
      category: entry.category ?? '',
      kind: entry.kind,
      amountMinor: minor(entry.amount),
      balanceMinor: minor(entry.balance),
    })),
  }
}

/** Whether the numbers of the rows have gaps: an edit takes a number and moves no money. */
export function hasGaps({ rows, firstSeq, lastSeq }: Statement): boolean {
  return rows.length > 0 && rows.length <= lastSeq - firstSeq
}

/** The minute of a moment in Bogotá: `2026-11-03 14:20`. */
export function bogotaMinute(iso: string): string {
  return isoDateTime(iso).slice(0, 16)
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`statement answered ${amount} for an amount.`)
  return amountMinor
}
