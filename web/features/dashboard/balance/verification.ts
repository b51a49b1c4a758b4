import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { JournalEntry } from '#ledger/read-journal.ts'
import { checkChain, emptyChain, type ChainFault } from './chain.ts'
import type { BalanceExplanation } from './explanation.ts'

export type Verdict =
  | { holds: true; entries: number }
  /** The first entry that contradicts the one before it. */
  | { holds: false; fault: ChainFault; entry: JournalEntry }
  /** Every entry follows from the one before, but some at the end are missing. */
  | { holds: false; fault: 'missing'; seq: number }
  /** The chain is whole, and is not what the balance was explained with. */
  | { holds: false; fault: 'total' }

export type Verification = {
  explanation: BalanceExplanation
  /** The chain from its beginning, in portions of any length. */
  pages: AsyncIterable<readonly JournalEntry[]>
  onProgress: (entries: number) => void
}

/**
 * Recomputes the chain and adds it up, and compares both with what the bank explained. Entries that came after the
 * explanation are left to the next time.
 */
export async function verifyBalance({ explanation, pages, onProgress }: Verification): Promise<Verdict> {
  let head = emptyChain
  const totals = { deposit: 0, expense: 0, correction: 0 }
  for await (const page of pages) {
    const entries = page.filter(({ seq }) => seq <= explanation.entries)
    const check = await checkChain(head, entries)
    if (!check.holds) return check
    head = check.head
    for (const { kind, delta } of entries) {
      totals[kind === 'deposit' || kind === 'expense' ? kind : 'correction'] += minorFromDecimal(delta) ?? 0
    }
    onProgress(head.seq)
    if (head.seq === explanation.entries) break
  }
  if (head.seq < explanation.entries) return { holds: false, fault: 'missing', seq: head.seq + 1 }
  const isExplained =
    head.balanceMinor === explanation.balanceMinor &&
    explanation.openingMinor === 0 &&
    totals.deposit === explanation.depositsMinor &&
    totals.expense === explanation.expensesMinor &&
    totals.correction === explanation.correctionsMinor
  return isExplained ? { holds: true, entries: head.seq } : { holds: false, fault: 'total' }
}
