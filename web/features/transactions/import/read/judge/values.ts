/** Parsed values of a table's columns. Each column is parsed once, because every answer judges the whole file again. */
import {
  guessDecimalMark,
  openFigureOf,
  parseFigure,
  type DecimalMark,
  type Figure,
} from '#upload/figures.ts'
import type { Table } from '#upload/table.ts'
import { parseDay, type WrittenDay } from '#features/transactions/import/read/days.ts'

const cache = new WeakMap<Table['rows'], Map<string, readonly unknown[]>>()

function remembered<Value>({ rows }: Table, key: string, build: () => Value[]): readonly Value[] {
  let columns = cache.get(rows)
  if (columns === undefined) cache.set(rows, (columns = new Map()))
  let values = columns.get(key) as readonly Value[] | undefined
  if (values === undefined) columns.set(key, (values = build()))
  return values
}

export function textsOf(table: Table, place: number | null): readonly string[] {
  if (place === null) return []
  return remembered(table, `texts ${place}`, () => table.rows.map(({ fields }) => fields[place] ?? ''))
}

export function figuresOf(
  table: Table,
  place: number | null,
  decimal: DecimalMark,
): readonly (Figure | null)[] {
  if (place === null) return []
  return remembered(table, `figures ${place} ${decimal}`, () =>
    textsOf(table, place).map((text) => (text === '' ? null : parseFigure(text, decimal))),
  )
}

export function daysOf(table: Table, place: number | null): readonly (WrittenDay | null)[] {
  if (place === null) return []
  return remembered(table, `days ${place}`, () => textsOf(table, place).map(parseDay))
}

/** Returns the notation of the amounts in these columns, and an example of an amount that is open. */
export function notationOf(table: Table, places: readonly (number | null)[]) {
  const [notation] = remembered(table, `notation ${places.join()}`, () => {
    const texts = places.flatMap((place) => textsOf(table, place).filter((text) => text !== ''))
    return [{ decimal: guessDecimalMark(texts), openFigure: openFigureOf(texts) }]
  })
  return notation ?? { decimal: '.' as const, openFigure: '' }
}

/** A table with fewer rows is judged within a moment. */
const longTableRows = 1000

/**
 * Parses all columns, and lets the page handle input between two columns. Without this, the first judgement of ten
 * thousand rows would be one long task.
 */
export async function parseColumns(table: Table, pause: () => Promise<void>): Promise<void> {
  if (table.rows.length < longTableRows) return
  for (const place of table.columns.keys()) {
    daysOf(table, place)
    await pause()
    figuresOf(table, place, '.')
    await pause()
    figuresOf(table, place, ',')
    await pause()
  }
}

/** Number of rows by which the content of a column is recognized. They are spread over the whole file. */
const sampleRows = 300

/** Returns values from all parts of a column, without the empty ones. */
export function sampleOf({ rows }: Table, place: number): readonly string[] {
  const step = Math.max(1, Math.floor(rows.length / sampleRows))
  const texts: string[] = []
  for (let index = 0; index < rows.length; index += step) {
    const text = rows[index]?.fields[place] ?? ''
    if (text !== '') texts.push(text)
  }
  return texts
}
