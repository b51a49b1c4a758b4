/** Finds the meaning of a table's columns by their headings or their contents. */
import { fold } from '#format/text.ts'
import { readFigure } from './figures.ts'
import { sampleRows, textsOf, type Row } from './table.ts'

/** Records among which the heading is looked for: some banks say first whose account it is. */
const headingRowsMax = 30

/** The heading and the records below it; a table without a heading gets generated names. */
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

/** A number without decimals that is longer than an amount: of an account, of a card, of a person. */
const longNumber = /^\d{9,}$/

/** Whether the column's figures can be amounts: not where most of them are numbers of accounts or persons. */
export function hasAmounts(texts: readonly string[]): boolean {
  return shareOf(texts, (text) => longNumber.test(text.replace(/[\s-]/g, ''))) <= 0.5
}

/**
 * The column of figures that looks most like amounts: one with both signs comes first, then one with negative figures,
 * then one with decimals. None that says the same in each of several records is one: it is a number of a branch or a client.
 */
export function amountColumn(rows: readonly Row[], places: readonly number[]): number | null {
  const scored = places.flatMap((place) => {
    const texts = textsOf(rows, place)
    const isConstant = rows.length > 1 && new Set(texts).size === 1
    return isConstant || !hasAmounts(texts) ? [] : [{ place, score: amountScore(texts) }]
  })
  return (
    scored.reduce<(typeof scored)[number] | null>(
      (best, each) => (best !== null && best.score >= each.score ? best : each),
      null,
    )?.place ?? null
  )
}

function amountScore(texts: readonly string[]): number {
  const signs = texts.map((text) => Math.sign(readFigure(text, '.') ?? readFigure(text, ',') ?? 0))
  const hasNegative = signs.includes(-1)
  const hasDecimals = texts.some((text) => /[.,]\d{1,2}\b/.test(text))
  return (hasNegative && signs.includes(1) ? 4 : 0) + (hasNegative ? 2 : 0) + (hasDecimals ? 1 : 0)
}

/** The free column whose heading fits best: wanted are beginnings without accents and capitals, the earlier ones count more. */
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
