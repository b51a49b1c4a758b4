/** Checks a statement against the journal. */
import { statementCopy } from './copy.ts'
import { type Statement, type StatementAnswer, type StatementRow, statementOf } from './statement.ts'

/** Result of the comparison: either the statement matches the journal, or the result contains the first difference. */
export type LedgerVerdict =
  | {
      holds: true
      /** True when every journal entry after the statement's last entry is dated in a later month. */
      isWhole: boolean
      /**
       * Numbers of the rows whose description differs from the description in the current transaction list. Either the
       * transaction has been edited or deleted since the statement was issued, or the description was forged.
       */
      otherWords: readonly number[]
    }
  | { holds: false; fault: 'account' | 'bank' | 'currency' | 'sum' | 'head' | 'opening' | 'notes' | 'booked' }
  | { holds: false; fault: 'row'; seq: number }

/**
 * Compares a statement with the result of `public.statement(month, lastSeq)` for its account: the hash, the sum of
 * the notes, and every row's number, origin, amount, balance, date, time and kind. For an unsigned statement, also
 * compares the bank's name and currency. Only a signature proves the account holder, the time of issue and the
 * categories, because the journal does not contain these facts.
 */
export function checkStatement(
  statement: Statement,
  answer: StatementAnswer,
  bank: Pick<Statement, 'bankName' | 'currency'>,
): LedgerVerdict {
  const { rows, openingMinor, closingMinor, signature } = statement
  if (statement.account !== answer.account) return { holds: false, fault: 'account' }
  // A signed statement might have been issued before the bank changed its name.
  if (signature === null && statement.bankName !== bank.bankName) return { holds: false, fault: 'bank' }
  if (signature === null && statement.currency !== bank.currency) return { holds: false, fault: 'currency' }
  let balanceMinor: number = openingMinor
  for (const row of rows) {
    balanceMinor += row.amountMinor
    if (balanceMinor !== row.balanceMinor) return { holds: false, fault: 'row', seq: row.seq }
  }
  if (balanceMinor !== closingMinor) return { holds: false, fault: 'sum' }

  const booked = statementOf(answer, statement, statementCopy.unlisted)
  if (statement.lastSeq !== booked.lastSeq || statement.hash !== booked.hash)
    return { holds: false, fault: 'head' }
  if (openingMinor !== booked.openingMinor) return { holds: false, fault: 'opening' }
  if (statement.notedMinor !== booked.notedMinor) return { holds: false, fault: 'notes' }
  const wrong = firstDifference(statement, booked)
  if (wrong !== null) return { holds: false, fault: 'row', seq: wrong }
  const otherWords = rows.filter((row, index) => !hasWordsOf(row, booked.rows[index])).map(({ seq }) => seq)
  return { holds: true, isWhole: answer.is_whole, otherWords }
}

function firstDifference({ rows, signature }: Statement, booked: Statement): number | null {
  for (const [index, expected] of booked.rows.entries()) {
    const row = rows[index]
    if (
      row?.seq !== expected.seq ||
      // In the journal of a closed account, corrections are no longer marked.
      (row.kind !== expected.kind && !(signature !== null && row.kind.startsWith('correct'))) ||
      row.isNote !== expected.isNote ||
      row.amountMinor !== expected.amountMinor ||
      row.balanceMinor !== expected.balanceMinor ||
      row.recordedAt !== expected.recordedAt ||
      row.day !== expected.day
    )
      return expected.seq
  }
  return rows[booked.rows.length]?.seq ?? null
}

function hasWordsOf({ description, declared }: StatementRow, listed: StatementRow | undefined): boolean {
  return description === listed?.description && declared === listed.declared
}
