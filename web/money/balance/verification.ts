import { decimalFromMinor, minorFromDecimal } from '@finanzas/contract/money.ts'
import type { JournalEntry } from '#data/read-journal.ts'
import type { BalanceExplanation } from './explanation.ts'

export type Verdict =
  | { holds: true; entries: number }
  /** The entry is the first entry that does not follow from the previous entry. */
  | { holds: false; fault: ChainFault; entry: JournalEntry }
  /** Every entry follows from the previous one, but entries are missing at the end. */
  | { holds: false; fault: 'missing'; seq: number }
  /** The chain is complete, but its sums differ from the sums in the explanation of the balance. */
  | { holds: false; fault: 'total' }

export type Verification = {
  explanation: BalanceExplanation
  /** The whole chain, starting with its first entry, in pages of any length. */
  pages: AsyncIterable<readonly JournalEntry[]>
  onProgress: (entries: number) => void
}

/**
 * Recomputes the chain and its sums, and compares them with the bank's explanation. Ignores entries that are newer than
 * the explanation. The void entries must cancel each other. Otherwise the bank could use void entries to hide money.
 */
export async function verifyBalance({ explanation, pages, onProgress }: Verification): Promise<Verdict> {
  let head = emptyChain
  const totals = { deposit: 0, expense: 0, correction: 0 }
  let notedMinor = 0
  const voidIds = new Set<string | null>(explanation.voidIds)
  let voidMinor = 0
  for await (const page of pages) {
    const entries = page.filter(({ seq }) => seq <= explanation.entries)
    const check = await checkChain(head, entries)
    if (!check.holds) return check
    head = check.head
    for (const { kind, delta, transaction_id: id } of entries) {
      const deltaMinor = minorFromDecimal(delta) ?? 0
      const isVoid = voidIds.has(id)
      if (isVoid) voidMinor += deltaMinor
      totals[isVoid ? 'correction' : totalOf(kind)] += deltaMinor
      if (!banksKinds.has(kind)) notedMinor += deltaMinor
    }
    onProgress(head.seq)
    if (head.seq === explanation.entries) break
  }
  if (head.seq < explanation.entries) return { holds: false, fault: 'missing', seq: head.seq + 1 }
  const isExplained =
    head.balanceMinor === explanation.balanceMinor &&
    explanation.openingMinor === 0 &&
    voidMinor === 0 &&
    notedMinor === explanation.notedMinor &&
    explanation.bookedMinor + notedMinor === explanation.balanceMinor &&
    totals.deposit === explanation.depositsMinor &&
    totals.expense === explanation.expensesMinor &&
    totals.correction === explanation.correctionsMinor
  return isExplained ? { holds: true, entries: head.seq } : { holds: false, fault: 'total' }
}

/** Kinds of the entries that the bank posts, as in `ledger.is_note`. All other entries are the customer's notes. */
const banksKinds: ReadonlySet<string> = new Set(['deposit', 'expense', 'closing'])

function totalOf(kind: string): 'deposit' | 'expense' | 'correction' {
  if (kind === 'note') return 'expense'
  return kind === 'deposit' || kind === 'expense' ? kind : 'correction'
}

/**
 * Recomputes the customer's chain in the browser, as `ledger.entry_hash` and `ledger.check_entries`
 * (supabase/schemas/money) do in the database. Customers can therefore verify their balance without trusting the bank.
 */
/** The way in which an entry is wrong. `ledger.check_entries` uses the same names. */
type ChainFault = 'sequence' | 'link' | 'hash' | 'sum'

/** The last entry checked so far: its number, its hash in hex, and its balance in minor units. */
type ChainHead = { seq: number; hash: string; balanceMinor: number }

type ChainCheck = { holds: true; head: ChainHead } | { holds: false; fault: ChainFault; entry: JournalEntry }

const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64), balanceMinor: 0 }

/**
 * Checks whether the entries continue the chain after `head`, and returns the first entry that does not continue it.
 */
async function checkChain(head: ChainHead, entries: readonly JournalEntry[]): Promise<ChainCheck> {
  // Each hash depends only on the entry itself, which contains the previous hash. All hashes can therefore be computed
  // in parallel.
  const hashes = await Promise.all(entries.map(entryHash))
  let before = head
  for (const [position, entry] of entries.entries()) {
    const fault = faultOf(entry, before, hashes[position] ?? null)
    if (fault !== null) return { holds: false, fault, entry }
    before = {
      seq: entry.seq,
      hash: entry.hash,
      balanceMinor: minorFromDecimal(entry.balance_after) ?? Number.NaN,
    }
  }
  return { holds: true, head: before }
}

function faultOf(entry: JournalEntry, before: ChainHead, hash: string | null): ChainFault | null {
  if (entry.seq !== before.seq + 1) return 'sequence'
  if (entry.previous_hash !== before.hash) return 'link'
  if (hash === null || entry.hash !== hash) return 'hash'
  const balanceMinor = before.balanceMinor + (minorFromDecimal(entry.delta) ?? Number.NaN)
  return minorFromDecimal(entry.balance_after) === balanceMinor ? null : 'sum'
}

/**
 * Encodes the entry as the database does and returns the SHA-256 hash in hex, or `null` if the entry cannot be encoded.
 */
async function entryHash(entry: JournalEntry): Promise<string | null> {
  const deltaMinor = minorFromDecimal(entry.delta)
  const balanceMinor = minorFromDecimal(entry.balance_after)
  const dated = entry.dated_at === null ? null : microsecondsOf(entry.dated_at)
  const recorded = microsecondsOf(entry.recorded_at)
  const isTimeLost = recorded === null || (dated === null && entry.dated_at !== null)
  if (deltaMinor === null || balanceMinor === null || isTimeLost) return null
  const encoded = lengthPrefixed([
    entry.user_id,
    String(entry.seq),
    entry.kind,
    entry.origin,
    entry.origin_id,
    entry.transaction_id,
    decimalFromMinor(deltaMinor),
    decimalFromMinor(balanceMinor),
    entry.actor,
    dated === null ? null : String(dated),
    String(recorded),
    entry.previous_hash,
  ])
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoded)))
}

const utf8 = new TextEncoder()

/**
 * Encodes each field as its length in four bytes (big-endian, -1 for null) followed by its UTF-8 bytes, like
 * `ledger.length_prefixed`.
 */
function lengthPrefixed(fields: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const texts = fields.map((field) => (field === null ? null : utf8.encode(field)))
  const bytes = new Uint8Array(texts.reduce((length, text) => length + 4 + (text?.length ?? 0), 0))
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const text of texts) {
    view.setInt32(offset, text?.length ?? -1)
    offset += 4
    if (text === null) continue
    bytes.set(text, offset)
    offset += text.length
  }
  return bytes
}

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/

/**
 * Parses an ISO 8601 time with an offset to microseconds since 1970, because a `Date` would keep only milliseconds.
 * Returns `null` for any other text.
 */
function microsecondsOf(time: string): number | null {
  const [, seconds, fraction = '', offset] = instant.exec(time) ?? []
  const milliseconds = Date.parse(`${seconds}${offset}`)
  return Number.isNaN(milliseconds) ? null : milliseconds * 1000 + Number(fraction.padEnd(6, '0'))
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexOfByte[byte]
  return text
}
