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
  /** Number of the last entry of the chain that the answer includes. */
  last_seq: number
  /** Hash of that entry, in hex. */
  hash: string
  /** True when no later entry has a date in this month or an earlier one. */
  is_whole: boolean
  /** The row at which the next page begins; `null` on the last page. */
  next_after_row: number | null
  entries: readonly {
    seq: number
    kind: string
    amount: number
    balance: number
    recorded_at: string
    date: string
    description: string | null
    category: string | null
  }[]
}

/** One transaction as a statement shows it. Times are in Bogotá: `2026-11-03 14:20`; days: `2026-11-02`. */
export type StatementRow = {
  /** Number of the journal's entry that posted the transaction. */
  seq: number
  recordedAt: string
  day: string
  description: string
  /**
   * Empty for a transaction that left the list, and for one that the bank recorded, because its category is the
   * customer's choice.
   */
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
  /** Rows in the order of their dates; late rows are at the end. */
  rows: readonly StatementRow[]
  openingMinor: MinorUnits
  closingMinor: MinorUnits
  /** Number and hash of the last entry of the journal at the time of issue. */
  lastSeq: number
  hash: string
  /** The bank's signature over the rest of the statement, and the id of its key, in hexadecimal digits; `null` if unsigned. */
  signature: { readonly kid: string; readonly value: string } | null
}

/** Separates the holder's name and address. */
export const customerSeparator = ' · '

/** Follows a name, which the customer typed and the bank did not verify. */
export const declaredName = ' (nombre declarado)'

/** Digits, currency signs, and the characters by which a statement marks a name or an address. */
const notOfName = /[\p{N}\p{Sc}@·()]/u

/**
 * Returns the holder for a statement. People choose their own names and can change them before each statement. Leaves out
 * a name that could be a sentence, an amount or another address, and then returns only the holder's address.
 */
export function customerOf({ fullName, email }: { fullName: string; email: string }): string {
  const name = fullName.trim().normalize('NFC')
  const isName =
    isPlainLine(name) && !notOfName.test(name) && Array.from(name).length <= statementNameLengthMax
  return [isName ? name + declaredName : '', email].filter(Boolean).join(customerSeparator)
}

export type Issued = Pick<Statement, 'bankName' | 'customer' | 'currency' | 'issuedAt'>

/** Place of a page: the number of rows before it, and the last entry that it includes; `null` for the latest entry. */
export type PagePlace = { readonly afterRow: number; readonly untilSeq: number | null }

/**
 * Reads the whole month page by page. All pages include the same entries, without those that are posted during the read.
 */
export async function readWhole(
  readPage: (place: PagePlace) => Promise<StatementAnswer>,
  untilSeq: number | null = null,
): Promise<StatementAnswer> {
  const first = await readPage({ afterRow: 0, untilSeq })
  const entries = [...first.entries]
  let afterRow = first.next_after_row
  while (afterRow !== null) {
    const page = await readPage({ afterRow, untilSeq: first.last_seq })
    entries.push(...page.entries)
    afterRow = page.next_after_row
  }
  return { ...first, next_after_row: null, entries }
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
    lastSeq: answer.last_seq,
    hash: answer.hash,
    signature: null,
    rows: answer.entries.map((entry) => ({
      seq: entry.seq,
      recordedAt: bogotaMinute(entry.recorded_at),
      day: bogotaMinute(entry.date).slice(0, 10),
      description: entry.description ?? unlisted,
      category: entry.category ?? '',
      kind: entry.kind,
      amountMinor: minor(entry.amount),
      balanceMinor: minor(entry.balance),
    })),
  }
}

/** Returns whether the bank recorded the row after the end of its month. */
export function isLate({ recordedAt }: Pick<StatementRow, 'recordedAt'>, month: string): boolean {
  return recordedAt.slice(0, month.length) > month
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
