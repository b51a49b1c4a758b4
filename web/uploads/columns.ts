/** Recognizes a table's columns by their headings or their contents. */
import { fold } from '#ui/format/text.ts'
import { readFigure } from './figures.ts'
import { sampleRows, textsOf, type Row, type Table } from './table.ts'

/**
 * Number of rows that are searched for the heading. The heading is not always the first row, because some banks write
 * the account holder above it.
 */
const headingRowsMax = 30

/** Splits a table into the heading and the rows below it. If the table has no heading, column names are generated. */
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

/**
 * Returns whether the row is the heading of a table of people: at least two of its fields are known words, and no field
 * is a figure or identifies a person.
 */
export function isHeadingOfPeople(
  { fields }: Row,
  headings: Readonly<Record<string, readonly string[]>>,
  isPerson: (text: string) => boolean,
): boolean {
  const named = Object.values(headings).filter((words) => bestColumn(fields, words) !== null)
  return named.length >= 2 && !fields.some((field) => isPerson(field) || isFigure(field))
}

/** Returns the column that is not in `taken` and in which most values fit, or `null` if no column has a majority. */
export function likeliestColumn(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  fits: (text: string) => boolean,
  taken: readonly (number | null)[] = [],
): number | null {
  const likely = [...columns.keys()]
    .filter((place) => !taken.includes(place))
    .map((place) => ({ place, share: shareOf(textsOf(rows, place), fits) }))
    .filter(({ share }) => share > 0.5)
    .sort((one, other) => other.share - one.share)
  return likely[0]?.place ?? null
}

export function shareOf(texts: readonly string[], is: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(is).length / texts.length
}

export function isFigure(text: string): boolean {
  return readFigure(text, '.') !== null || readFigure(text, ',') !== null
}

/** Matches a number that is too long for an amount and has no decimals, such as an account, card or identity number. */
const longNumber = /^\d{9,}$/

/**
 * Returns whether the column can contain amounts. A column cannot contain amounts if most of its values are long
 * numbers, such as account or identity numbers.
 */
export function hasAmounts(texts: readonly string[]): boolean {
  return shareOf(texts, (text) => longNumber.test(text.replace(/[\s-]/g, ''))) <= 0.5
}

/**
 * Returns the columns that may contain amounts, starting with the most likely. Columns with positive and negative
 * numbers come first, then columns with only negative numbers, then columns with decimals. A column that has the same
 * value in all rows is left out, because the value is probably the number of a branch or a customer.
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
 * Returns the column that is not in `taken` and has the heading that matches best. `wanted` contains the beginnings of
 * words in lower case and without accents. Earlier words take precedence over later words.
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
