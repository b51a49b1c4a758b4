/** Whether a statement that was handed out is what the journal says. */
import { statementCopy } from './copy.ts'
import { type Statement, type StatementAnswer, type StatementRow, statementOf } from './statement.ts'

/** What is wrong first; `row` with the number of its entry. */
export type StatementVerdict =
  | {
      holds: true
      /** Nothing of the month came after it. */
      isWhole: boolean
      /** Rows whose words nothing is left to compare with: they have left the list. */
      withoutWords: number
    }
  | { holds: false; fault: 'account' | 'sum' | 'head' | 'opening' }
  | { holds: false; fault: 'row'; seq: number }

/**
 * Compares a statement with `public.statement(month, lastSeq)` of its account. A description may have changed since: any
 * that the movement ever had is right. The category is the customer's own affair.
 */
export function checkStatement(statement: Statement, answer: StatementAnswer): StatementVerdict {
  const { rows, openingMinor, closingMinor } = statement
  if (statement.account !== answer.account) return { holds: false, fault: 'account' }
  let balanceMinor: number = openingMinor
  for (const row of rows) {
    balanceMinor += row.amountMinor
    if (balanceMinor !== row.balanceMinor) return { holds: false, fault: 'row', seq: row.seq }
  }
  if (balanceMinor !== closingMinor) return { holds: false, fault: 'sum' }

  const booked = statementOf(answer, statement, '')
  if (statement.lastSeq !== booked.lastSeq || statement.hash !== booked.hash)
    return { holds: false, fault: 'head' }
  if (statement.firstSeq !== booked.firstSeq || openingMinor !== booked.openingMinor)
    return { holds: false, fault: 'opening' }
  const wrong = firstDifference(rows, booked.rows, answer)
  if (wrong !== null) return { holds: false, fault: 'row', seq: wrong }
  return {
    holds: true,
    isWhole: answer.is_whole,
    withoutWords: rows.filter(({ day }, index) => day !== '' && answer.entries[index]?.description === null)
      .length,
  }
}

function firstDifference(
  rows: readonly StatementRow[],
  booked: readonly StatementRow[],
  { entries }: StatementAnswer,
): number | null {
  for (const [index, expected] of booked.entries()) {
    const row = rows[index]
    if (
      row?.seq !== expected.seq ||
      row.kind !== expected.kind ||
      row.amountMinor !== expected.amountMinor ||
      row.balanceMinor !== expected.balanceMinor ||
      row.recordedAt !== expected.recordedAt
    )
      return expected.seq
    if (!isNamedRightly(row, expected, entries[index])) return expected.seq
  }
  return rows[booked.length]?.seq ?? null
}

function isNamedRightly(
  { day, description }: StatementRow,
  expected: StatementRow,
  entry: StatementAnswer['entries'][number] | undefined,
): boolean {
  if (day === '') return description === statementCopy.unlisted
  // What has left the list since took its words along.
  if (entry?.description === null) return true
  return day === expected.day && [expected.description, ...(entry?.earlier ?? [])].includes(description)
}
