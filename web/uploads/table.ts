/**
 * Table to which every file format is converted, so that column recognition, correction and preview need to handle only
 * one structure.
 */
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'

/** A row of the file. `line` is the number of the line on which the row begins, counted from 1. */
export type Row = { readonly line: number; readonly fields: readonly string[] }

export type FileFormat =
  | 'CSV'
  | 'OFX'
  | 'QIF'
  | 'camt.052'
  | 'camt.053'
  | 'camt.054'
  | 'Excel'
  | 'HTML'
  | 'MT940'
  | 'Norma 43'

export type Table = {
  readonly format: FileFormat
  /** Column names, which are generated if the file does not contain them. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** The index of each field's column, or `null` if the column is missing. */
export type Columns<Role extends string> = Readonly<Record<Role, number | null>>

/** A row that could not be read as a transaction. `text` shows the row's content, so that the user can find the row. */
export type BrokenLine<Fault> = { readonly line: number; readonly fault: Fault; readonly text: string }

export function brokenLine<Fault>({ line, fields }: Row, fault: Fault): BrokenLine<Fault> {
  const text = fields.filter((field) => field !== '').join(' · ')
  return { line, fault, text: text.length > 120 ? `${text.slice(0, 119)}…` : text }
}

export function fieldOf({ fields }: Row, place: number | null): string {
  return place === null ? '' : (fields[place] ?? '')
}

/** Number of rows that are examined to guess a column's content. */
export const sampleRows = 200

/**
 * Returns the nonempty values in the first rows of a column. Callers guess the column's content from these values.
 * Returns an empty list if `place` is `null`.
 */
export function textsOf(rows: readonly Row[], place: number | null): string[] {
  if (place === null) return []
  return rows
    .slice(0, sampleRows)
    .map(({ fields }) => fields[place] ?? '')
    .filter((text) => text !== '')
}

/** Converts the text to a single line that the bank accepts, or returns `null` if no visible characters remain. */
export function plainLine(text: string, lengthMax: number): string | null {
  if (text.length <= lengthMax && usual.test(text)) return text
  const line = [
    ...text
      .normalize('NFC')
      .replace(/^'(?=\s*[=+\-@])/, '')
      .replace(unwanted, ' ')
      .replace(/\s+/g, ' '),
  ]
    .slice(0, lengthMax)
    .join('')
    .trim()
  return isPlainLine(line) ? line : null
}

/** Matches a line of letters, digits and signs in NFC with single blanks, which stays as it is. */
const usual = /^[!-&(-~¡-¬®-ÿ](?: ?[!-~¡-¬®-ÿ])*$/

/** Characters that contract/format/plain-line.ts refuses, and the Unicode replacement character. */
const unwanted =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]|[\ud800-\udfff]/gu
