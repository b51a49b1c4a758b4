/** The common table of every format, so that recognising, correcting and previewing have one way. */
import { isPlainLine } from '@finanzas/contract/plain-line.ts'

/** A record of the file and the number of the line on which it begins, counted from 1. */
export type Row = { readonly line: number; readonly fields: readonly string[] }

export type FileFormat = 'CSV' | 'OFX' | 'QIF' | 'camt.053'

export type Table = {
  readonly format: FileFormat
  /** Names of the columns; generated where the file lacks them. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** A record that is not a transaction, with its text for the person who is to find it. */
export type BrokenLine<Fault> = { readonly line: number; readonly fault: Fault; readonly text: string }

export function brokenLine<Fault>({ line, fields }: Row, fault: Fault): BrokenLine<Fault> {
  const text = fields.filter((field) => field !== '').join(' · ')
  return { line, fault, text: text.length > 120 ? `${text.slice(0, 119)}…` : text }
}

export function fieldOf({ fields }: Row, place: number | null): string {
  return place === null ? '' : (fields[place] ?? '')
}

/** Records that a guess looks at. */
export const sampleRows = 200

/** The values of a column that a guess looks at; empty without a column. */
export function textsOf(rows: readonly Row[], place: number | null): string[] {
  if (place === null) return []
  return rows
    .slice(0, sampleRows)
    .map(({ fields }) => fields[place] ?? '')
    .filter((text) => text !== '')
}

/** One line that the bank takes; `null` where nothing visible is left. */
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
