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
import { columnsCopy } from '#data/columns-copy.ts'

const { names, recorders } = columnsCopy
const { types } = categorizationCopy

/** The text of each column's field, by the column's name. A file contains the columns in this order. */
const fields: readonly (readonly [name: string, fieldOf: (row: Transaction) => string])[] = [
  [names.date, ({ date }) => isoDate(date)],
  [names.description, ({ description }) => escapeFormula(description)],
  [names.category, (row) => escapeFormula(shownCategory(row))],
  [names.type, ({ type }) => (type === 'deposit' ? types.deposit : types.expense)],
  [names.amount, signedDecimal],
  [names.recorded_by, ({ recorded_by }) => recorders[recorded_by]],
]

export const headingLine = lineOf(([name]) => name)

export function transactionLine(row: Transaction): string {
  return lineOf(([, fieldOf]) => fieldOf(row))
}

function lineOf(text: (field: (typeof fields)[number]) => string): string {
  return csvLine(fields.map(text), ';')
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
