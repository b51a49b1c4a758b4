/** Writes comma-separated values (RFC 4180) that a spreadsheet does not interpret as formulas. */
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** Byte order mark, by which Excel recognizes that a file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/**
 * Returns one line of a CSV file. If a field could be a formula, the caller must first escape this field with
 * `escapeFormula`.
 */
export function csvLine(fields: readonly string[], separator: ',' | ';'): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`
}

/**
 * Escapes a field so that a spreadsheet does not run the field as a formula. Adds an apostrophe in front of a field if
 * the first character after any blanks is `=`, `+`, `-`, `@` or a full-width form of one of these. Also adds the
 * apostrophe if the field begins with a tab, a line break or a null character (security.md IN-08). `rest.csv_cell`
 * applies the same rule.
 */
export function escapeFormula(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠\t\r\n\0]/.test(text) ? `'${text}` : text
}

/** Formats an amount as a CSV field: `-12,50`. */
export function amountField(minorUnits: MinorUnits): string {
  return decimalFromMinor(minorUnits).replace('.', ',')
}

function quoted(field: string, separator: string): string {
  const mustBeQuoted = /["\r\n]/.test(field) || field.includes(separator)
  return mustBeQuoted ? `"${field.replaceAll('"', '""')}"` : field
}
