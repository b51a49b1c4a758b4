/**
 * Reads the basic elements of the query grammar at a position in one parameter: names, lists and fields (`name`,
 * `data->key`, `data->0->>key`; PostgREST v16, QueryParams.hs, pField).
 */
import { jsonDepthMax } from '@finanzas/contract/limits.ts'
import { restErrors } from '#rest/errors.ts'

export type Cursor = {
  /** The name that PostgREST's error message uses for the part being read: `filter`, `order`, … */
  readonly subject: string
  readonly text: string
  at: number
  /**
   * An offset that upstream's error messages add to the column number. For a logic tree, this offset is the length of
   * the parameter's name.
   */
  readonly before: number
}

export function startOf(subject: string, text: string, before = 0): Cursor {
  return { subject, text, at: 0, before }
}

/** Throws PGRST100 for the character at the cursor. */
export function refuse(cursor: Cursor, expecting: string): never {
  const found = cursor.text[cursor.at]
  throw refusalOf(cursor, found === undefined ? null : `"${found}"`, expecting)
}

/**
 * Throws PGRST100 as upstream does when it expects a whole word: the error reports the first character that differs.
 */
export function refuseWord(cursor: Cursor, word: string, expecting: string): never {
  let end = 0
  while (end < word.length && cursor.text[cursor.at + end] === word[end]) end += 1
  const found = cursor.text[cursor.at + end]
  throw refusalOf(cursor, found === undefined ? null : `"${found}"`, expecting)
}

/** Throws PGRST100 as upstream does when it expects a single character. */
export function refuseCharacter(cursor: Cursor, expecting: string): never {
  const found = cursor.text[cursor.at]
  throw refusalOf(cursor, found === undefined ? null : `'${found}'`, expecting)
}

function refusalOf({ subject, text, at, before }: Cursor, found: string | null, expecting: string) {
  return restErrors.unparsable(
    `"failed to parse ${subject} (${text})" (line 1, column ${before + at + 1})`,
    `unexpected ${found ?? 'end of input'} expecting ${expecting}`,
  )
}

/** If the text continues with the literal, skips it and returns true. */
export function skip(cursor: Cursor, literal: string): boolean {
  if (!cursor.text.startsWith(literal, cursor.at)) return false
  cursor.at += literal.length
  return true
}

/** Skips the literal. Throws PGRST100 if the text does not continue with the literal. */
export function expect(cursor: Cursor, literal: string): void {
  if (!skip(cursor, literal)) refuse(cursor, `"${literal}"`)
}

/** Returns whether the cursor is at one of these characters or at the end of the text. */
export function isAt({ text, at }: Cursor, signs: string): boolean {
  return at >= text.length || signs.includes(text.charAt(at))
}

/** Matches a regular expression with the sticky flag at the cursor. Skips and returns the match, or returns `null`. */
export function match(cursor: Cursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)
  if (found !== null) cursor.at += found[0].length
  return found
}

// A dash is part of the name unless it begins an arrow (`->`).
const plainName = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy

/**
 * Reads the name of a column, table or alias, with or without quotes. Throws PGRST100 if the text does not continue
 * with a name.
 */
export function readName(cursor: Cursor): string {
  if (cursor.text[cursor.at] === '"') return readQuoted(cursor)
  const name = match(cursor, plainName)?.[0].trim()
  return name === undefined || name === '' ? refuse(cursor, 'field name (* or [a..z0..9_$])') : name
}

// The two alternatives start with different characters, so matching never backtracks.
const quoted = /"((?:[^"\\]|\\.)*)"/suy

/** Reads text in double quotes. In the text, a backslash escapes the next character. */
export function readQuoted(cursor: Cursor): string {
  const content = match(cursor, quoted)?.[1]
  return content === undefined ? refuse(cursor, 'text in double quotes') : content.replace(/\\(.)/gsu, '$1')
}

/** Reads a list of items that are separated by commas and optional blanks. Calls `read` at least once. */
export function readList<T>(cursor: Cursor, read: (cursor: Cursor) => T): T[] {
  const items: T[] = []
  do {
    skipBlanks(cursor)
    items.push(read(cursor))
    skipBlanks(cursor)
  } while (skip(cursor, ','))
  return items
}

const blanks = /[ \t]*/y

export function skipBlanks(cursor: Cursor): void {
  match(cursor, blanks)
}

/** One step into a JSON value: to an object's member or to an array's element. Negative indexes count from the end. */
export type JsonStep = { readonly key: string } | { readonly index: number }

/** A field as written in a select list, a filter or an order. */
export type FieldName = {
  readonly column: string
  /** The path into the column's JSON; empty if the field is the column itself. */
  readonly path: readonly JsonStep[]
  /** Whether the last arrow is `->>`, which returns the value as text and not as JSON. */
  readonly isText: boolean
}

/** Reads a field and the blanks around it. Throws PGRST100. */
export function readField(cursor: Cursor): FieldName {
  skipBlanks(cursor)
  const field = readPath(cursor, readName(cursor))
  skipBlanks(cursor)
  return field
}

/** Reads the path into a column after the column's name has been read. Throws PGRST100. */
export function readPath(cursor: Cursor, column: string): FieldName {
  const path: JsonStep[] = []
  let isText = false
  while (!isText && skip(cursor, '->')) {
    isText = skip(cursor, '>')
    path.push(readStep(cursor))
  }
  if (cursor.text.startsWith('->', cursor.at)) refuse(cursor, 'nothing after "->>"')
  if (path.length > jsonDepthMax) {
    throw restErrors.unparsable('The JSON path is too long', `at most ${jsonDepthMax} steps`)
  }
  return { column, path, isText }
}

// Digits are an array index only if the step ends after the digits. For example, `->1a` is the member "1a".
const index = /-?\d{1,9}(?=->|::|[.,)]|$)/y

function readStep(cursor: Cursor): JsonStep {
  const digits = match(cursor, index)?.[0]
  return digits === undefined ? { key: readKey(cursor) } : { index: Number(digits) }
}

// A dash is part of the key if it is between two other characters and does not begin an arrow.
const plainKey = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/uy

/**
 * Reads the key of a JSON object's member, with or without quotes. Throws PGRST100 if the text does not continue with a
 * key.
 */
function readKey(cursor: Cursor): string {
  if (cursor.text[cursor.at] === '"') return readQuoted(cursor)
  const key = match(cursor, plainKey)?.[0].trim()
  return key === undefined || key === ''
    ? refuse(cursor, 'any non reserved character different from: .,>()')
    : key
}
