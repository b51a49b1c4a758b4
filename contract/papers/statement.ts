/** Monthly statements: the database's answer, and the document that is built from it. */
import { isoDateTime } from '@finanzas/contract/format/bogota.ts'
import { statementNameLengthMax } from '@finanzas/contract/limits.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'
import { transferWordsOf } from '@finanzas/contract/transfers/words.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import type { Particulars } from './particulars.ts'

/** The result of `public.statement`: one page of the month, or the whole month. */
export type StatementAnswer = {
  account: string
  /** `2026-11` */
  month: string
  opening: number
  closing: number
  /** The part of the closing balance that the customer's own notes make up. */
  noted: number
  /** Number of the last journal entry that the answer includes. */
  last_seq: number
  /** Hash of the entry with the number `last_seq`, in hex. */
  hash: string
  /** True when every journal entry after `last_seq` is dated in a later month. */
  is_whole: boolean
  /** The row after which the next page begins, or `null` on the last page. */
  next_after_row: number | null
  entries: readonly {
    seq: number
    kind: string
    /** Whether the customer recorded the expense. The bank recorded all other transactions. */
    is_note: boolean
    amount: number
    balance: number
    recorded_at: string
    date: string
    description: string | null
    category: string | null
  }[]
}

/**
 * One transaction as a statement shows it. Times are in Bogotá's time zone and have the form `2026-11-03 14:20`; days
 * have the form `2026-11-02`.
 */
export type StatementRow = {
  /** Number of the journal entry that posted the transaction. */
  seq: number
  recordedAt: string
  day: string
  /** In the bank's words if the bank recorded the transaction. */
  description: string
  /** The names and the concept of a transfer, which customers wrote. Empty for every other transaction. */
  declared: string
  /**
   * Empty if the transaction is no longer in the customer's list. Also empty if the bank recorded the transaction,
   * because the customer can change the category of a bank transaction.
   */
  category: string
  kind: string
  /** Whether the customer recorded the expense. The bank recorded all other transactions. */
  isNote: boolean
  amountMinor: MinorUnits
  balanceMinor: MinorUnits
}

/** An issued statement: opening + amounts = closing. */
export type Statement = {
  bankName: string
  /** Absent if no particulars of the bank or of the holder are known. */
  particulars?: Particulars
  customer: string
  account: string
  currency: 'USD' | 'COP'
  month: string
  issuedAt: string
  /** Rows sorted by date. Rows that were recorded after the month ended come last. */
  rows: readonly StatementRow[]
  openingMinor: MinorUnits
  closingMinor: MinorUnits
  /** The part of the closing balance that the customer's own notes make up. The rest is the balance according to the bank. */
  notedMinor: MinorUnits
  /** Number and hash of the journal's last entry when the statement was issued. */
  lastSeq: number
  hash: string
  /**
   * The bank's signature on the rest of the statement, and the id of the signing key. The signature and the id are in
   * hex. `null` if the statement is unsigned.
   */
  signature: { readonly kid: string; readonly value: string } | null
}

/** Separates the account holder's name and email address. */
export const customerSeparator = ' · '

/** Added after a name, because the customer typed the name and the bank has not verified it. */
export const declaredName = ' (nombre declarado)'

/** Digits, currency signs, and the characters that mark names, masked names and email addresses in a document. */
const notOfName = /[\p{N}\p{Sc}@·•:()]/u

/** Returns the account holder's name and email address as a statement shows them. */
export function customerOf({ fullName, isVerified, email }: HolderName): string {
  const name = isVerified ? fullName.trim().normalize('NFC') : declaredOf(fullName)
  return [name, email].filter(Boolean).join(customerSeparator)
}

export type HolderName = {
  readonly fullName: string
  /** Whether the bank verified the name. If not, the customer typed it. */
  readonly isVerified: boolean
  readonly email: string
}

/**
 * Returns a name that a customer wrote, with a mark that the bank has not verified the name. Customers can change their
 * names before each statement. A name that could be a sentence, an amount or another email address is therefore left
 * out.
 */
export function declaredOf(fullName: string): string {
  const name = fullName.trim().normalize('NFC')
  // A PDF shows a compatibility character as the ordinary character.
  const isName =
    isPlainLine(name) &&
    !notOfName.test(name.normalize('NFKC')) &&
    Array.from(name).length <= statementNameLengthMax
  return isName ? name + declaredName : ''
}

export type Issued = Pick<Statement, 'bankName' | 'particulars' | 'customer' | 'currency' | 'issuedAt'>

/**
 * Position of a page: the number of rows before the page, and the last journal entry to include (`null` for the latest
 * entry).
 */
export type PagePlace = { readonly afterRow: number; readonly untilSeq: number | null }

/**
 * Reads the whole month page by page. Entries that are posted during the read are left out, so that all pages are
 * consistent.
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

/** Builds an unsigned statement from the database's answer. Throws if the answer contains an invalid amount. */
export function statementOf(answer: StatementAnswer, issued: Issued, unlisted: string): Statement {
  return {
    bankName: issued.bankName,
    ...(issued.particulars !== undefined && { particulars: issued.particulars }),
    customer: issued.customer,
    currency: issued.currency,
    issuedAt: issued.issuedAt,
    account: answer.account,
    month: answer.month,
    openingMinor: minor(answer.opening),
    closingMinor: minor(answer.closing),
    notedMinor: minor(answer.noted),
    lastSeq: answer.last_seq,
    hash: answer.hash,
    signature: null,
    rows: answer.entries.map((entry) => ({
      seq: entry.seq,
      recordedAt: bogotaMinute(entry.recorded_at),
      day: bogotaMinute(entry.date).slice(0, 10),
      ...wordsOf(entry.is_note ? null : entry.description, entry.description ?? unlisted),
      category: entry.category ?? '',
      kind: entry.kind,
      isNote: entry.is_note,
      amountMinor: minor(entry.amount),
      balanceMinor: minor(entry.balance),
    })),
  }
}

/** Separates the words of customers from the bank's words in a row that the bank recorded. */
function wordsOf(recorded: string | null, text: string): Pick<StatementRow, 'description' | 'declared'> {
  const transfer = recorded === null ? null : transferWordsOf(recorded)
  if (transfer === null) return { description: text, declared: '' }
  const { words, name, concept } = transfer
  const declared = [declaredOf(name), concept === '' ? '' : `«${concept}»`].filter(Boolean)
  return { description: words, declared: declared.join(customerSeparator) }
}

/** Returns the closing balance according to the bank, which the customer's own notes do not change. */
export function bookedOf({
  closingMinor,
  notedMinor,
}: Pick<Statement, 'closingMinor' | 'notedMinor'>): MinorUnits {
  return (closingMinor - notedMinor) as MinorUnits
}

/** Returns whether the transaction was recorded after the statement's month ended. */
export function isLate({ recordedAt }: Pick<StatementRow, 'recordedAt'>, month: string): boolean {
  return recordedAt.slice(0, month.length) > month
}

/** Formats a time to the minute in Bogotá's time zone: `2026-11-03 14:20`. */
export function bogotaMinute(iso: string): string {
  return isoDateTime(iso).slice(0, 16)
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`statement answered ${amount} for an amount.`)
  return amountMinor
}
