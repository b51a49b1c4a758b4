import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { shownCategory } from '#categories/category-badge.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { columnsCopy } from '#data/columns-copy.ts'
import type { Part, Sums } from '#planning/sums/sums.ts'
import { overviewCopy } from './copy.ts'

/**
 * Writes the sums as CSV, in the same format as the history's export (docs/decisions/0025). Each month has one line for
 * each category, and one line for its final balance.
 */
export function csvText({ months }: Sums): string {
  const lines = months.flatMap(({ month, parts, balanceMinor }) => [
    ...parts.map((part) => partFields(month, part)),
    [month, overviewCopy.balanceAtEnd, '', '', '', amountField(balanceMinor)],
  ])
  return byteOrderMark + [overviewCopy.csvColumns, ...lines].map((fields) => csvLine(fields, ';')).join('')
}

function partFields(month: string, part: Part): string[] {
  const { types } = categorizationCopy
  const isDeposit = part.type === 'deposit'
  return [
    month,
    isDeposit ? types.deposit : types.expense,
    escapeFormula(shownCategory(part)),
    columnsCopy.recorders[part.recordedBy],
    String(part.transactions),
    (isDeposit ? '' : '-') + amountField(part.amountMinor),
  ]
}
