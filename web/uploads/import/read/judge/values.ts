/** Parsed values of a table's columns. Each column is parsed once, because every answer judges the whole file again. */
import {
  guessDecimalMark,
  openFigureOf,
  parseFigure,
  type DecimalMark,
  type Figure,
} from '#uploads/figures.ts'
import { mapInPieces, pieceRows, type Work } from '#uploads/pieces.ts'
import type { Table } from '#uploads/table.ts'
import { parseDay, type WrittenDay } from '#uploads/import/read/days.ts'

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
    textsOf(table, place).map((text) => figureOf(text, decimal)),
  )
}

function figureOf(text: string, decimal: DecimalMark): Figure | null {
  return text === '' ? null : parseFigure(text, decimal)
}

/** Returns the signed amounts of a column in its own notation. */
export function signedIn(table: Table, place: number): readonly (number | null)[] {
  return remembered(table, `signed ${place}`, () =>
    figuresOf(table, place, guessDecimalMark(sampleOf(table, place))).map((figure) =>
      figure === null ? null : figure.sign === '-' ? -figure.minor : figure.minor,
    ),
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

/** Parses all columns in pieces. Without this, the first judgement of ten thousand rows would be one long task. */
export function* parseColumns(table: Table): Work<void> {
  if (table.rows.length <= pieceRows) return
  for (const place of table.columns.keys()) {
    yield* build(table, `texts ${place}`, table.rows, ({ fields }) => fields[place] ?? '')
    const texts = textsOf(table, place)
    yield* build(table, `days ${place}`, texts, parseDay)
    for (const decimal of ['.', ','] as const)
      yield* build(table, `figures ${place} ${decimal}`, texts, (text) => figureOf(text, decimal))
  }
}

function* build<Source>(
  table: Table,
  key: string,
  sources: readonly Source[],
  parse: (source: Source) => unknown,
): Work<void> {
  if (cache.get(table.rows)?.has(key) === true) return
  const values = yield* mapInPieces(sources, parse)
  remembered(table, key, () => values)
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
