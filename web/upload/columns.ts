/** Recognizes a table's columns by their headings or their contents. */
import { fold } from '#format/text.ts'
import { readFigure } from './figures.ts'
import { sampleRows, textsOf, type Row } from './table.ts'

/** Number of rows that are searched for the heading, because some banks put the account's owner first. */
const headingRowsMax = 30

/** Splits a table into its heading and the rows below it. Without a heading, the columns get generated names. */
export function splitHeading(
  rows: readonly Row[],
  isHeading: (row: Row) => boolean,
): { columns: string[]; rows: readonly Row[] } {
  const index = rows.slice(0, headingRowsMax).findIndex(isHeading)
  const heading = rows[index]?.fields
  const body = rows.slice(index + 1)
  const width = body
    .slice(0, sampleRows)
    .reduce((most, { fields }) => Math.max(most, fields.length), heading?.length ?? 0)
  const columns = Array.from({ length: width }, (_, place) => heading?.[place] || `Columna ${place + 1}`)
  return { columns, rows: body }
}

export function shareOf(texts: readonly string[], is: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(is).length / texts.length
}

export function isFigure(text: string): boolean {
  return readFigure(text, '.') !== null || readFigure(text, ',') !== null
}

/** A number without decimals that is too long for an amount, such as that of an account, a card or a person. */
const longNumber = /^\d{9,}$/

/**
 * Returns whether the column can contain amounts. If most of its figures are numbers of accounts or persons, it cannot.
 */
export function hasAmounts(texts: readonly string[]): boolean {
  return shareOf(texts, (text) => longNumber.test(text.replace(/[\s-]/g, ''))) <= 0.5
}

/**
 * Returns the columns of figures that may be amounts, the likeliest first. Columns with both signs come first, then
 * those with negative figures, then those with decimals. A column with the same value in several rows is not
 * considered, because it is the number of a branch or a customer.
 */
export function amountColumns(rows: readonly Row[], places: readonly number[]): number[] {
  const scored = places.flatMap((place) => {
    const texts = textsOf(rows, place)
    const isConstant = rows.length > 1 && new Set(texts).size === 1
    return isConstant || !hasAmounts(texts) ? [] : [{ place, score: amountScore(texts) }]
  })
  return scored.sort((one, other) => other.score - one.score).map(({ place }) => place)
}

function amountScore(texts: readonly string[]): number {
  const signs = texts.map((text) => Math.sign(readFigure(text, '.') ?? readFigure(text, ',') ?? 0))
  const hasNegative = signs.includes(-1)
  const hasDecimals = texts.some((text) => /[.,]\d{1,2}\b/.test(text))
  return (hasNegative && signs.includes(1) ? 4 : 0) + (hasNegative ? 2 : 0) + (hasDecimals ? 1 : 0)
}

/**
 * Returns the free column whose heading fits best. `wanted` has beginnings of words without accents and capitals, and
 * earlier ones take precedence.
 */
export function bestColumn(
  names: readonly string[],
  wanted: readonly string[],
  taken: ReadonlySet<number> = new Set(),
): number | null {
  const folded = names.map((name) => fold(name).trim())
  for (const word of wanted) {
    for (const fits of [
      (name: string) => name === word,
      (name: string) => name.startsWith(word),
      (name: string) => new RegExp(`(?<!\\p{L})${word}`, 'u').test(name),
    ]) {
      const place = folded.findIndex((name, index) => !taken.has(index) && fits(name))
      if (place !== -1) return place
    }
  }
  return null
}
