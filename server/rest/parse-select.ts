/** `select=`: columns, `*`, aliases and embedded tables (PostgREST v16, QueryParams.hs, pFieldForest). */
import { restColumnsMax, restEmbedsMax } from '@finanzas/contract/limits.ts'
import { type Cursor, expect, expectEnd, readList, readName, refuse, skip, startOf } from './cursor.ts'
import { restErrors } from './errors.ts'

/** One entry of a select list; `alias` is the key that the client wants in the answer. */
export type SelectItem =
  | { readonly kind: 'all' }
  | { readonly kind: 'column'; readonly name: string; readonly alias: string | null }
  | {
      readonly kind: 'embed'
      readonly table: string
      readonly alias: string | null
      readonly items: readonly SelectItem[]
    }

/** Reads a select list. Throws PGRST100, PGRST123 and PGRST127. */
export function parseSelect(text: string): readonly SelectItem[] {
  const cursor = startOf('select parameter', text)
  const items = readList(cursor, readItem)
  expectEnd(cursor)
  checkLimits(items)
  return items
}

function readItem(cursor: Cursor): SelectItem {
  if (skip(cursor, '*')) return { kind: 'all' }
  if (cursor.text.startsWith('...', cursor.at)) throw restErrors.notImplemented('Spread embedding')
  const first = readName(cursor)
  const isAlias = cursor.text[cursor.at] === ':' && cursor.text[cursor.at + 1] !== ':'
  if (isAlias) cursor.at += 1
  const name = isAlias ? readName(cursor) : first
  const alias = isAlias ? first : null
  refuseUnserved(cursor)
  if (!skip(cursor, '(')) return { kind: 'column', name, alias }
  const items = readList(cursor, readItem)
  expect(cursor, ')')
  return { kind: 'embed', table: name, alias, items }
}

const aggregate = /\.(?:sum|avg|min|max|count)\(\)/y

function refuseUnserved(cursor: Cursor): void {
  const follows = (text: string) => cursor.text.startsWith(text, cursor.at)
  if (follows('::')) throw restErrors.notImplemented('Casts in select')
  if (follows('->')) throw restErrors.notImplemented('JSON paths in select')
  if (follows('!')) throw restErrors.notImplemented('Hints and join types of embedded tables')
  aggregate.lastIndex = cursor.at
  if (follows('()') || aggregate.test(cursor.text)) throw restErrors.aggregates()
  if (!/^(?:[,()]|$)/.test(cursor.text.slice(cursor.at, cursor.at + 1)))
    refuse(cursor, '",", "(" or end of input')
}

function checkLimits(items: readonly SelectItem[]): void {
  const embeds = items.filter((item) => item.kind === 'embed')
  const columns = items.length + embeds.reduce((sum, embed) => sum + embed.items.length, 0)
  if (columns > restColumnsMax) {
    throw restErrors.unparsable('The select list is too long', `at most ${restColumnsMax} entries`)
  }
  if (embeds.length > restEmbedsMax) {
    throw restErrors.unparsable('Too many embedded tables', `at most ${restEmbedsMax}`)
  }
  if (embeds.some((embed) => embed.items.some((item) => item.kind === 'embed'))) {
    throw restErrors.notImplemented('Tables embedded in embedded tables')
  }
}
