/** The fields of a record as texts that the bank takes. */
import { isPlainLine } from '@finanzas/contract/plain-line.ts'
import type { Row } from './table.ts'

export function fieldOf({ fields }: Row, place: number | null): string {
  return place === null ? '' : (fields[place] ?? '')
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

/** A record that could not be read, for the person who is to find it. */
export function textOfRow({ fields }: Row): string {
  const text = fields.filter((field) => field !== '').join(' · ')
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
