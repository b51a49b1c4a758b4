/**
 * Reads CSV files in the formats that banks use: with different separators, optional quotes, and lines before the
 * heading. Each row contains its line number, which CSV libraries do not provide (docs/decisions/0091).
 */
import type { Row } from './table.ts'

const separators = [';', ',', '\t', '|'] as const

/** Number of rows that are examined to guess the separator. */
const sampleRows = 50
/** Maximum number of fields of a row. No bank writes so many, and the fields behind them are left out. */
const fieldsMax = 500
/** Maximum length of a quoted field. A quote that is not closed within it is part of the text. */
const quotedLengthMax = 10_000

/** The notation of a file. Some programs write a quote within quotes as `\"`, and others as `""`. */
type Dialect = { readonly separator: string; readonly hasBackslashes: boolean }

/** Yields a file's nonempty rows, and returns the separator. */
export function* csvRows(text: string): Generator<Row, string> {
  const [, declared] = /^\ufeff?sep=(.)\r?\n/i.exec(text) ?? []
  const separator =
    declared ?? bestOf(separators, (each) => evenness(text, { separator: each, hasBackslashes: false }))
  const rows = splitRows(text, { separator, hasBackslashes: hasBackslashes(text, separator) })
  if (declared !== undefined) rows.next()
  yield* rows
  return separator
}

function bestOf<Choice>(
  choices: readonly [Choice, ...Choice[]],
  scoreOf: (choice: Choice) => number,
): Choice {
  const scored = choices.map((choice) => ({ choice, score: scoreOf(choice) }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).choice
}

/**
 * Scores how evenly a dialect splits the first rows: by the largest number of rows with the same number of fields, which
 * must be at least two, and then by this number of fields.
 */
function evenness(text: string, dialect: Dialect): number {
  const counts = new Map<number, number>()
  for (const { fields } of firstOf(splitRows(text, dialect), sampleRows))
    if (fields.length > 1) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1)
  const [width, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [0, 0]
  return count * 2 * fieldsMax + width
}

/** Returns whether the file writes a quote within quotes as `\"`, judged from its first lines that contain `\"`. */
function hasBackslashes(text: string, separator: string): boolean {
  const lines = [text.slice(0, endOfLine(text, 0))]
  let escaped = text.indexOf('\\"')
  while (escaped !== -1 && lines.length < sampleRows) {
    const end = endOfLine(text, escaped)
    lines.push(text.slice(text.lastIndexOf('\n', escaped) + 1, end))
    escaped = text.indexOf('\\"', end)
  }
  const score = (each: boolean) => evenness(lines.join('\n'), { separator, hasBackslashes: each })
  return lines.length > 1 && score(true) > score(false)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
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

function* splitRows(text: string, dialect: Dialect): Generator<Row, void> {
  let position = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  while (position < text.length) {
    const { fields, end } = splitRow(text, position, dialect)
    if (fields.some((field) => field !== '')) yield { line, fields }
    line += countLines(text, position, end)
    position = end
  }
}

/** Returns the row that begins at `start`, and the position at which the next row begins. */
function splitRow(text: string, start: number, dialect: Dialect): { fields: string[]; end: number } {
  const fields: string[] = []
  let position = start
  for (;;) {
    // Excel's notation `="0012"` makes a text of a number.
    const opening = text.startsWith('="', position) ? position + 1 : position
    const quoted = text[opening] === '"' ? readQuoted(text, opening, dialect) : null
    const end = quoted?.end ?? endOfField(text, position, dialect.separator)
    const value = (quoted?.value ?? text.slice(position, end)).trim()
    if (fields.length < fieldsMax) fields.push(/^="[^]*"$/.test(value) ? value.slice(2, -1).trim() : value)
    if (text[end] !== dialect.separator) {
      const isWhole = quoted !== null && fields.length === 1 && value.includes(dialect.separator)
      // Some programs put quotes around each line as a whole.
      return { fields: isWhole ? splitRow(value, 0, dialect).fields : fields, end: afterLineEnd(text, end) }
    }
    position = end + 1
  }
}

/**
 * Reads a quoted field. Returns `null` if the closing quote is missing, because the opening quote is then part of the
 * text.
 */
function readQuoted(text: string, start: number, dialect: Dialect): { value: string; end: number } | null {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1 || quote - start > quotedLengthMax) return null
    const isEscaped = dialect.hasBackslashes && text[quote - 1] === '\\'
    value += text.slice(from, isEscaped ? quote - 1 : quote)
    from = quote + 2
    if (text[quote + 1] === '"' || isEscaped) {
      value += '"'
      if (isEscaped) from = quote + 1
      continue
    }
    const end = endOfField(text, quote + 1, dialect.separator)
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
