/** A monthly statement: what the bank answers, and what is handed out. */
import { isoDateTime } from '@finanzas/contract/bogota.ts'
import { type MinorUnits, minorFromDecimal } from '@finanzas/contract/money.ts'

/** What `public.statement` answers: a page of the month, or all of it. */
export type StatementAnswer = {
  account: string
  /** `2026-11` */
  month: string
  opening: number
  closing: number
  first_seq: number
  last_seq: number
  /** Of the last entry, in hex. */
  hash: string
  /** Whether nothing of the month came after it. */
  is_whole: boolean
  /** Where the next page begins; `null` with the last one. */
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
    earlier: readonly string[] | null
  }[]
}

/** One entry of the journal, as a paper says it. Times are Bogotá's: `2026-11-03 14:20`; days `2026-11-02`. */
export type StatementRow = {
  seq: number
  recordedAt: string
  /** Of the movement; empty, like its category, for what is no longer listed. */
  day: string
  description: string
  category: string
  kind: string
  amountMinor: MinorUnits
  balanceMinor: MinorUnits
}

/** A statement as it is handed out: opening + amounts = closing. */
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
  rows: readonly StatementRow[]
}

export type Issued = Pick<Statement, 'bankName' | 'customer' | 'currency' | 'issuedAt'>

/**
 * The whole month, read page by page. What is booked meanwhile is in it: entries stay as they are, and their head is that of
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

/** The statement that an answer makes. Throws where an amount is none. */
export function statementOf(answer: StatementAnswer, issued: Issued, unlisted: string): Statement {
  return {
    ...issued,
    account: answer.account,
    month: answer.month,
    openingMinor: minor(answer.opening),
    closingMinor: minor(answer.closing),
    firstSeq: answer.first_seq,
    lastSeq: answer.last_seq,
    hash: answer.hash,
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

/** The minute of a moment in Bogotá: `2026-11-03 14:20`. */
export function bogotaMinute(iso: string): string {
  return isoDateTime(iso).slice(0, 16)
}

function minor(amount: number): MinorUnits {
  const amountMinor = minorFromDecimal(amount)
  if (amountMinor === null) throw new Error(`statement answered ${amount} for an amount.`)
  return amountMinor
}
