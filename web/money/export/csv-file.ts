import { byteOrderMark } from '@finanzas/contract/format/csv.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { headingLine, transactionLine } from '#money/files/transaction-lines.ts'

/** Number of rows that are written before the page yields to other work. */
const rowsAtOnce = 5000

/** Writes transactions as a CSV file, in the order in which they are given. */
export async function csvFile(rows: readonly Transaction[]): Promise<Blob> {
  const parts = [byteOrderMark, headingLine]
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    parts.push(
      rows
        .slice(from, from + rowsAtOnce)
        .map(transactionLine)
        .join(''),
    )
    await new Promise((resolve) => window.setTimeout(resolve))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}
