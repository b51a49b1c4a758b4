/**
 * Writes the audit log as a file in the bank's usual CSV format. Times are written in words, and again in a form that
 * programs can sort. Names may be missing or change, and therefore each line also has the ids.
 */
import { byteOrderMark, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { auditCopy } from './copy.ts'
import { formatDateTime } from '#ui/format/dates.ts'
import type { AuditEntry } from './audit.ts'
import { actionInWords, actorInWords, changeInWords, personInWords } from './words.ts'

export function auditCsv(entries: readonly AuditEntry[], namesById: ReadonlyMap<string, string>): string {
  const lines = entries.map((entry) => [
    String(entry.id),
    entry.recorded_at,
    formatDateTime(entry.recorded_at),
    escapeFormula(actorInWords(entry, namesById)),
    actionInWords(entry),
    escapeFormula(personInWords({ id: entry.target, name: entry.target_name }, namesById) ?? ''),
    escapeFormula(changeInWords(entry) ?? ''),
    entry.actor ?? '',
    entry.target ?? '',
    entry.session_id ?? '',
    entry.hash ?? '',
  ])
  const { time, ...ids } = auditCopy.fileColumns
  const columns = [auditCopy.number, time, ...Object.values(auditCopy.columns), ...Object.values(ids)]
  return byteOrderMark + [columns, ...lines].map((each) => csvLine(each, ';')).join('')
}
