/**
 * Parses `select=`: fields, `*`, aliases, casts and embedded tables (PostgREST v16, QueryParams.hs, pFieldForest).
 * Refuses spreads (`...table()`) and aggregates.
 */
import { restColumnsMax, restEmbedsMax } from '@finanzas/contract/limits.ts'
import { restErrors } from '#rest/errors.ts'
import {
  type Cursor,
  type FieldName,
  expect,
  isAt,
  match,
  readList,
  readName,
  readPath,
  refuse,
  refuseCharacter,
  skip,
  skipBlanks,
  startOf,
} from './grammar.ts'

/** A table whose rows are embedded in another table's rows. */
export type SelectEmbed = {
  readonly kind: 'embed'
  /** The name of the embedded table, or of a foreign key or a column that leads to this table. */
  readonly target: string
  readonly alias: string | null
  /** The foreign key or column to follow (`!key`). A hint is needed if several foreign keys lead to the target. */
  readonly hint: string | null
  /** Whether rows without an embedded row are omitted (`!inner`). */
  readonly isInner: boolean
  /** The select list of the embedded table; empty if its rows are used only in a condition. */
  readonly items: readonly SelectItem[]
}

/** One entry of a select list. `alias` is the key that the client wants in the answer. */
export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'field'
      readonly field: FieldName
      readonly alias: string | null
      /** The type to which to cast, as the client wrote it. */
      readonly cast: string | null
    }
  | SelectEmbed

/** Parses a select list, which may be empty. Throws PGRST100, PGRST123 and PGRST127. */
export function parseSelect(text: string): readonly SelectItem[] {
  const cursor = startOf('select parameter', text)
  skipBlanks(cursor)
  // As upstream does, selects nothing for an empty list, and ignores any text after a closing parenthesis.
  const items = cursor.at === text.length ? [] : readItems(cursor, 0)
  const { entries, embeds } = sizeOf(items)
  if (entries > restColumnsMax) {
    throw restErrors.unparsable('The select list is too long', `at most ${restColumnsMax} entries`)
  }
  if (embeds > restEmbedsMax) throw tooManyEmbeds()
  return items
}

function readItems(cursor: Cursor, depth: number): SelectItem[] {
  return readList(cursor, () => readItem(cursor, depth))
}

function readItem(cursor: Cursor, depth: number): SelectItem {
  if (skip(cursor, '*')) {
    expectItemEnd(cursor)
    return { kind: 'all' }
  }
  if (cursor.text.startsWith('...', cursor.at)) throw restErrors.notImplemented('Spread embedding')
  const first = readName(cursor)
  const isAlias = cursor.text[cursor.at] === ':' && cursor.text[cursor.at + 1] !== ':'
  if (isAlias) cursor.at += 1
  const name = isAlias ? readName(cursor) : first
  const alias = isAlias ? first : null
  refuseAggregate(cursor, name)
  const isEmbed = cursor.text[cursor.at] === '(' || cursor.text[cursor.at] === '!'
  return isEmbed ? readEmbed(cursor, { target: name, alias, depth }) : readSelected(cursor, name, alias)
}

const typeName = /[\p{L}\p{N}_ $]+/uy

function readSelected(cursor: Cursor, name: string, alias: string | null): SelectItem {
  const field = readPath(cursor, name)
  const cast = skip(cursor, '::') ? (match(cursor, typeName)?.[0].trim() ?? refuse(cursor, 'a type')) : null
  refuseAggregate(cursor, name)
  expectItemEnd(cursor)
  return { kind: 'field', field, alias, cast }
}

function expectItemEnd(cursor: Cursor): void {
  skipBlanks(cursor)
  if (isAt(cursor, ',)')) return
  refuseCharacter(cursor, 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input')
}

type EmbedStart = { target: string; alias: string | null; depth: number }

function readEmbed(cursor: Cursor, { target, alias, depth }: EmbedStart): SelectEmbed {
  // Refuses deep nesting early: every level contains at least one embedded table, so the number of embedded tables
  // would exceed the maximum.
  if (depth === restEmbedsMax) throw tooManyEmbeds()
  let hint: string | null = null
  let isInner = false
  while (skip(cursor, '!')) {
    const word = readName(cursor)
    if (word === 'inner') isInner = true
    else if (word !== 'left') hint = word
  }
  expect(cursor, '(')
  const isEmpty = skip(cursor, ')')
  const items = isEmpty ? [] : readItems(cursor, depth + 1)
  if (!isEmpty) expect(cursor, ')')
  return { kind: 'embed', target, alias, hint, isInner, items }
}

const aggregate = /\.(?:sum|avg|min|max|count)\(\)/y

function refuseAggregate(cursor: Cursor, name: string): void {
  const isCount = name === 'count' && /^\(\)(?:::|[,)]|$)/.test(cursor.text.slice(cursor.at))
  if (isCount || match(cursor, aggregate) !== null) throw restErrors.aggregates()
}

function tooManyEmbeds() {
  return restErrors.unparsable('Too many embedded tables', `at most ${restEmbedsMax}`)
}

function sizeOf(items: readonly SelectItem[]): { entries: number; embeds: number } {
  let entries = items.length
  let embeds = 0
  for (const item of items) {
    if (item.kind !== 'embed') continue
    const inside = sizeOf(item.items)
    entries += inside.entries
    embeds += 1 + inside.embeds
  }
  return { entries, embeds }
}
