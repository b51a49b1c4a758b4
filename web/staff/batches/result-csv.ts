/**
 * Writes each line's result to a file in the bank's usual CSV format. The file can be uploaded again as a new batch.
 */
import { amountField, byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { emailOf, type BatchLine } from './batches.ts'
import { batchCopy } from './copy.ts'

export function resultCsv(lines: readonly BatchLine[]): string {
  return (
    byteOrderMark +
    [batchCopy.resultColumns, ...lines.map(fieldsOf)].map((each) => csvLine(each, ';')).join('')
  )
}

function fieldsOf({ line, amount, description, status, fault, ...person }: BatchLine): string[] {
  const minor = minorFromDecimal(amount)
  return [
    String(line),
    escapeFormula(emailOf(person) ?? ''),
    escapeFormula((person.profiles ?? person.new_accounts)?.full_name ?? ''),
    minor === null ? '' : amountField(minor),
    escapeFormula(description ?? ''),
    batchCopy.statuses[status],
    escapeFormula(fault ?? ''),
  ]
}
