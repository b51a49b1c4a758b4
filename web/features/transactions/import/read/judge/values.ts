/** Parsed values of a table's columns. Each column is parsed once, because every answer judges the whole file again. */
import { parseFigure, type DecimalMark, type Figure } from '#upload/figures.ts'
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
