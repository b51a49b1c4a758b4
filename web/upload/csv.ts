/**
 * Reads CSV files in the formats that banks use: with different separators, optional quotes, and lines before the
 * heading. Each row contains its line number, which CSV libraries do not provide (docs/decisions/0057).
 */
import type { Row } from './table.ts'

const separators = [';', ',', '\t', '|'] as const

/** Number of rows that are examined to guess the separator. */
const sampleRows = 50

/** Returns a file's nonempty rows, but not more than `rowsMax`. */
export function readCsv(text: string, rowsMax: number): Row[] {
  return firstOf(csvRows(text), rowsMax)
}

/** Yields a file's nonempty rows. */
export function* csvRows(text: string): Generator<Row, void> {
  const declared = /^sep=(.)\r?\n/i.exec(text)
  const rows = splitRows(text, declared?.[1] ?? separatorOf(text))
  if (declared !== null) rows.next()
  yield* rows
}

/**
 * Returns the separator that splits the largest number of rows into the same number of fields, which must be at least
 * two.
 */
function separatorOf(text: string): string {
  const scored = separators.map((separator) => {
    const widths = firstOf(splitRows(text, separator), sampleRows).map(({ fields }) => fields.length)
    const counts = new Map<number, number>()
    for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
    const [width, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [0, 0]
    return { separator, score: count * 100 + width }
  })
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).separator
}

/** Returns the first values. `Iterator.prototype.take` is missing in the oldest supported browsers. */
function firstOf<Value>(values: Iterable<Value>, count: number): Value[] {
  const first: Value[] = []
  for (const value of values) {
    if (first.length === count) break
    first.push(value)
  }
  return first
}

function* splitRows(text: string, separator: string): Generator<Row, void> {
  let position = 0
  let line = 1
  while (position < text.length) {
    const { fields, end } = splitRow(text, position, separator)
    if (fields.some((field) => field !== '')) yield { line, fields }
    line += countLines(text, position, end)
    position = end
  }
}

/** Returns the row that begins at `start`, and the position at which the next row begins. */
function splitRow(text: string, start: number, separator: string): { fields: string[]; end: number } {
  const fields: string[] = []
  let position = start
  for (;;) {
    const quoted = text[position] === '"' ? readQuoted(text, position, separator) : null
    const end = quoted?.end ?? endOfField(text, position, separator)
    fields.push((quoted?.value ?? text.slice(position, end)).trim())
    if (text[end] !== separator) return { fields, end: afterLineEnd(text, end) }
    position = end + 1
  }
}

/**
 * Reads a quoted field. Returns `null` if the closing quote is missing, because the opening quote is then part of the
 * text.
 */
function readQuoted(text: string, start: number, separator: string): { value: string; end: number } | null {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return null
    value += text.slice(from, quote)
    if (text[quote + 1] === '"') {
      value += '"'
      from = quote + 2
      continue
    }
    const end = endOfField(text, quote + 1, separator)
    return { value: value + text.slice(quote + 1, end), end }
  }
}

function endOfField(text: string, start: number, separator: string): number {
  let position = start
  while (position < text.length) {
    const character = text[position]
    if (character === separator || character === '\n' || character === '\r') return position
    position += 1
  }
  return position
}

function afterLineEnd(text: string, end: number): number {
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
}

function countLines(text: string, start: number, end: number): number {
  return text.slice(start, end).match(/\r\n|\r|\n/g)?.length ?? 0
}
