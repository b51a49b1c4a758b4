/** Comma-separated values (RFC 4180) that no spreadsheet runs. */
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** Comes first in a file, so that Excel reads UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One line of a file. Formulas in the fields must be escaped already. */
export function csvLine(fields: readonly string[], separator: ',' | ';'): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`
}

/**
 * Returns a text that no spreadsheet runs: where `=`, `+`, `-`, `@`, one of their full-width forms, a tab or a null would
 * begin a formula, an apostrophe stands in front (security.md IN-08). `rest.csv_cell` has the same rule.
 */
export function escapeFormula(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠\t\r\n\0]/.test(text) ? `'${text}` : text
}

/** An amount as a field: `-12,50`. */
export function amountField(minorUnits: MinorUnits): string {
  return decimalFromMinor(minorUnits).replace('.', ',')
}

function quoted(field: string, separator: string): string {
  const mustBeQuoted = /["\r\n]/.test(field) || field.includes(separator)
  return mustBeQuoted ? `"${field.replaceAll('"', '""')}"` : field
}
