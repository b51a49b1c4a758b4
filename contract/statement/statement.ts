/** A monthly statement: the answer of the database, and the document that is made from it. */
import { isoDateTime } from '@finanzas/contract/bogota.ts'
import { statementNameLengthMax } from '@finanzas/contract/limits.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { isPlainLine } from '@finanzas/contract/plain-line.ts'

/** The answer of `public.statement`: a page of the month, or the whole month. */
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
  /** True when the month has no later entry. */
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

/** One entry of the journal as a statement shows it. Times are in Bogotá: `2026-11-03 14:20`; days: `2026-11-02`. */
export type StatementRow = {
  seq: number
  recordedAt: string
  /** Day of the transaction; empty for a transaction that left the customer's list. */
  day: string
  description: string
  /** Empty for a transaction that the bank recorded, because the customer chose its category, and for one that left the list. */
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
  /** The bank's signature over the rest of the statement, and the id of its key, in hexadecimal digits; `null` if unsigned. */
  signature: { readonly kid: string; readonly value: string } | null
  rows: readonly StatementRow[]
}

/** Separates the holder's name and address. */
export const customerSeparator = ' · '

/** Follows a name, which the customer typed and the bank did not verify. */
export const declaredName = ' (nombre declarado)'

/** Digits, currency signs, and the characters by which a statement marks a name or an address. */
const notOfName = /[\p{N}\p{Sc}@·()]/u

/**
 * Returns the holder for a statement. People choose their own names and can change them before each statement, so a name that
 * could be a sentence, an amount or another address is left out, and only the holder's address is shown.
 */
export function customerOf({ fullName, email }: { fullName: string; email: string }): string {
  const name = fullName.trim().normalize('NFC')
  const isName =
    isPlainLine(name) && !notOfName.test(name) && Array.from(name).length <= statementNameLengthMax
  return [isName ? name + declaredName : '', email].filter(Boolean).join(customerSeparator)
}

export type Issued = Pick<Statement, 'bankName' | 'customer' | 'currency' | 'issuedAt'>

/**
 * Reads the whole month page by page, including entries that are posted meanwhile. Entries never change, and the head of the
 * last page covers all of them.
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

/** Makes an unsigned statement from an answer. Throws for an answer with an invalid amount. */
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

/** Returns whether the numbers of the rows have gaps, which edits leave: an edit has a number but moves no money. */
export function hasGaps({ rows, firstSeq, lastSeq }: Statement): boolean {
  return rows.length > 0 && rows.length <= lastSeq - firstSeq
}

/** Returns the minute of a moment in Bogotá: `2026-11-03 14:20`. */
export function bogotaMinute(iso: string): string {
  return isoDateTime(iso).slice(0, 16)
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`statement answered ${amount} for an amount.`)
  return amountMinor
}
