/** Writes the audit log as a file in the bank's usual CSV format. */
import { byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { auditCopy } from './copy.ts'
import { formatDateTime } from '#format/dates.ts'
import type { AuditEntry } from './audit.ts'
import { actionInWords, actorInWords, changeInWords, personInWords } from './words.ts'

export function auditCsv(entries: readonly AuditEntry[], namesById: ReadonlyMap<string, string>): string {
  const lines = entries.map((entry) => [
    String(entry.id),
    formatDateTime(entry.recorded_at),
    escapeFormula(actorInWords(entry, namesById)),
    actionInWords(entry),
    escapeFormula(personInWords({ id: entry.target, name: entry.target_name }, namesById) ?? ''),
    escapeFormula(changeInWords(entry) ?? ''),
  ])
  const columns = [auditCopy.number, ...Object.values(auditCopy.columns)]
  return byteOrderMark + [columns, ...lines].map((each) => csvLine(each, ';')).join('')
}
