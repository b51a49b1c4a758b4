/**
 * Parses the filter of a subscription. A filter is one condition `column=operator.value`, or several conditions
 * separated by commas, all of which must hold (realtime-js `RealtimePostgresFilterBuilder.ts`). Refuses negation and
 * operators that are not listed here.
 */
import { realtimeFilterConditionsPerSocketMax, realtimeInListMax } from '@finanzas/contract/limits.ts'

const scalarOperators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte'] as const

export type Condition = { readonly column: string } & (
  | { readonly operator: (typeof scalarOperators)[number]; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
)

/** The filter is invalid. The message is meant for the developer who wrote the filter. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

/** Parses a filter. Throws `FilterError`. */
export function parseFilter(text: string): Condition[] {
  const reader = new Reader(text)
  const conditions: Condition[] = []
  do {
    if (conditions.length === realtimeFilterConditionsPerSocketMax)
      throw new FilterError('too many conditions')
    conditions.push(readCondition(reader))
  } while (reader.skip(','))
  if (!reader.isAtEnd) throw new FilterError(`unexpected "${reader.rest}"`)
  return conditions
}

function readCondition(reader: Reader): Condition {
  const column = reader.until('=').trim()
  if (column === '' || !reader.skip('=')) throw new FilterError('expected column=operator.value')
  const operator = reader.until('.')
  if (!reader.skip('.')) throw new FilterError('expected column=operator.value')
  if (operator === 'in') return { column, operator, values: readList(reader) }
  const known = scalarOperators.find((each) => each === operator)
  if (known === undefined) throw new FilterError(`unsupported operator "${operator}"`)
  return { column, operator: known, value: readValue(reader, ',') }
}

function readList(reader: Reader): string[] {
  if (!reader.skip('(')) throw new FilterError('`in` filter value must be wrapped by parentheses')
  if (reader.skip(')')) return []
  const values: string[] = []
  do {
    if (values.length === realtimeInListMax) throw new FilterError('too many values in the list')
    // A list may have blanks around its values. A value in quotes keeps its own blanks.
    reader.skipBlanks()
    values.push(readValue(reader, ',)', true))
    reader.skipBlanks()
  } while (reader.skip(','))
  if (!reader.skip(')')) throw new FilterError('`in` filter value must be wrapped by parentheses')
  return values
}

function readValue(reader: Reader, ends: string, isTrimmed = false): string {
  if (!reader.skip('"')) return isTrimmed ? reader.until(ends).trimEnd() : reader.until(ends)
  let text = ''
  while (!reader.skip('"')) {
    if (reader.isAtEnd) throw new FilterError('a quoted value does not end')
    reader.skip('\\')
    text += reader.next()
  }
  return text
}

/** Reads a text from left to right. */
class Reader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#text.length
  }

  get rest(): string {
    return this.#text.slice(this.#position)
  }

  next(): string {
    this.#position += 1
    return this.#text.charAt(this.#position - 1)
  }

  /** If the text continues with the word, moves past it and returns true. */
  skip(word: string): boolean {
    if (!this.#text.startsWith(word, this.#position)) return false
    this.#position += word.length
    return true
  }

  skipBlanks(): void {
    while (this.skip(' ')) continue
  }

  /** Returns the text up to the first of these characters, or up to the end. */
  until(ends: string): string {
    const start = this.#position
    while (!this.isAtEnd && !ends.includes(this.#text.charAt(this.#position))) this.#position += 1
    return this.#text.slice(start, this.#position)
  }
}
