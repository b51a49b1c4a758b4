/** Comma-separated values (RFC 4180) in which a spreadsheet finds no formulas. */
import { type MinorUnits, decimalFromMinor } from '@finanzas/contract/money.ts'

/** Byte order mark at the start of a file, by which Excel recognizes UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Returns one line of a file. The caller must escape formulas in the fields first. */
export function csvLine(fields: readonly string[], separator: ',' | ';'): string {
  return `${fields.map((field) => quoted(field, separator)).join(separator)}\r\n`
}

/**
 * Escapes a text so that a spreadsheet does not run it as a formula. Puts an apostrophe before a text that begins with
 * `=`, `+`, `-`, `@`, a full-width form of these, a tab or a null (security.md IN-08). `rest.csv_cell` has the same rule.
 */
export function escapeFormula(text: string): string {
  return /^[\s\0]*[=+\-@＝＋－＠\t\r\n\0]/.test(text) ? `'${text}` : text
}

/** Formats an amount as a field: `-12,50`. */
export function amountField(minorUnits: MinorUnits): string {
  return decimalFromMinor(minorUnits).replace('.', ',')
}

function quoted(field: string, separator: string): string {
  const mustBeQuoted = /["\r\n]/.test(field) || field.includes(separator)
  return mustBeQuoted ? `"${field.replaceAll('"', '""')}"` : field
}
