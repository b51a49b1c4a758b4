/** Compares a statement with the journal. */
import { statementCopy } from './copy.ts'
import { type Statement, type StatementAnswer, type StatementRow, statementOf } from './statement.ts'

/** The first fault; `row` with the number of its entry. */
export type LedgerVerdict =
  | {
      holds: true
      /** Whether the month has no later entry. */
      isWhole: boolean
      /** Numbers of the rows whose day or words today's list does not have: edited or deleted since, or forged. */
      otherWords: readonly number[]
    }
  | { holds: false; fault: 'account' | 'bank' | 'currency' | 'sum' | 'head' | 'opening' }
  | { holds: false; fault: 'row'; seq: number }

/**
 * Compares a statement with `public.statement(month, lastSeq)` of its account: every number, balance, time and kind, and the
 * hash; without a signature also with the bank's own name and currency. The signature alone covers holder, date of issue and
 * categories: the journal does not have them.
 */
export function checkStatement(
  statement: Statement,
  answer: StatementAnswer,
  bank: Pick<Statement, 'bankName' | 'currency'>,
): LedgerVerdict {
  const { rows, openingMinor, closingMinor, signature } = statement
  if (statement.account !== answer.account) return { holds: false, fault: 'account' }
  // A signed one may be from before the bank changed its name.
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
  if (statement.firstSeq !== booked.firstSeq || openingMinor !== booked.openingMinor)
    return { holds: false, fault: 'opening' }
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
      // The journal of a closed account no longer marks corrections.
      (row.kind !== expected.kind && !(signature !== null && row.kind.endsWith('_correction'))) ||
      row.amountMinor !== expected.amountMinor ||
      row.balanceMinor !== expected.balanceMinor ||
      row.recordedAt !== expected.recordedAt
    )
      return expected.seq
  }
  return rows[booked.rows.length]?.seq ?? null
}

function hasWordsOf({ day, description }: StatementRow, listed: StatementRow | undefined): boolean {
  return day === listed?.day && description === listed.description
}
