/** The table that every format is turned into, so that recognition, correction and preview work on one form. */
import { isPlainLine } from '@finanzas/contract/plain-line.ts'

/** A row of the file, and the number of the line on which it begins, counted from 1. */
export type Row = { readonly line: number; readonly fields: readonly string[] }

export type FileFormat = 'CSV' | 'OFX' | 'QIF' | 'camt.053'

export type Table = {
  readonly format: FileFormat
  /** Names of the columns, generated if the file does not name them. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** A row that is not a transaction, with its text so that the user can find it. */
export type BrokenLine<Fault> = { readonly line: number; readonly fault: Fault; readonly text: string }

export function brokenLine<Fault>({ line, fields }: Row, fault: Fault): BrokenLine<Fault> {
  const text = fields.filter((field) => field !== '').join(' · ')
  return { line, fault, text: text.length > 120 ? `${text.slice(0, 119)}…` : text }
}

export function fieldOf({ fields }: Row, place: number | null): string {
  return place === null ? '' : (fields[place] ?? '')
}

/** Number of rows from which a column is guessed. */
export const sampleRows = 200

/** Returns the values of a column for a guess, or an empty list without a column. */
export function textsOf(rows: readonly Row[], place: number | null): string[] {
  if (place === null) return []
  return rows
    .slice(0, sampleRows)
    .map(({ fields }) => fields[place] ?? '')
    .filter((text) => text !== '')
}

/** Returns a single line that the bank accepts, or `null` if nothing visible remains. */
export function plainLine(text: string, lengthMax: number): string | null {
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

/** Characters that contract/plain-line.ts refuses. */
const unwanted =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffd]|[\ud800-\udfff]/gu
