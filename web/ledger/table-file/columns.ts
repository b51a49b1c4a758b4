/** Which column of a table is what: by its heading, or by what stands in it. */
import { fold } from '#format/text.ts'
import { readFigure } from './figures.ts'
import type { Row } from './table.ts'

/** Records among which the heading is looked for: some banks say first whose account it is. */
const headingRowsMax = 30
/** Records that a guess looks at. */
const sampleRows = 200

/** The heading and the records below it; names are made up for a table that has none. */
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

/** What stands in a column, as far as a guess looks at it; nothing for no column. */
export function textsOf(rows: readonly Row[], place: number | null): string[] {
  if (place === null) return []
  return rows
    .slice(0, sampleRows)
    .map(({ fields }) => fields[place] ?? '')
    .filter((text) => text !== '')
}

export function shareOf(texts: readonly string[], is: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(is).length / texts.length
}

export function isFigure(text: string): boolean {
  return readFigure(text, '.') !== null || readFigure(text, ',') !== null
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
