/**
 * Writes transactions as CSV lines that a Colombian spreadsheet program opens without asking for a format: fields are
 * separated by `;`, and amounts have a decimal comma (docs/decisions/0025). An apostrophe is put before any text that a
 * spreadsheet program would run as a formula (security.md IN-08).
 */
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { amountField, csvLine, escapeFormula } from '@finanzas/contract/format/csv.ts'
import { bogotaDay, isoDay } from '#ui/format/dates.ts'
import { shownCategory } from '#categories/category-badge.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { filesCopy } from '#data/files-copy.ts'

export const headingLine = csvLine(filesCopy.columns, ';')

export function transactionLine(row: Transaction): string {
  const { types } = categorizationCopy
  const fields = [
    isoDate(row.date),
    escapeFormula(row.description),
    escapeFormula(shownCategory(row)),
    row.type === 'deposit' ? types.deposit : types.expense,
    signedDecimal(row),
    filesCopy.recorders[row.recorded_by],
  ]
  return csvLine(fields, ';')
}

function isoDate(date: string): string {
  const day = bogotaDay(date)
  return Number.isNaN(day) ? '' : isoDay(day)
}

function signedDecimal({ type, amount }: Transaction): string {
  const minor: number | null = minorFromDecimal(amount)
  if (minor === null) return ''
  const signed = (type === 'deposit' ? minor : -minor) as MinorUnits
  return amountField(signed)
}
