/**
 * Parses the query string (PostgREST v16, QueryParams.hs). A parameter whose name is not a keyword is a filter. If a
 * path precedes the name (`authors.name=`, `authors.order=`), the parameter applies to an embedded table. The same
 * filter can occur several times, but each keyword only once.
 */
import { restEmbedsMax, restFiltersMax, restOrderTermsMax, urlBytesMax } from '@finanzas/contract/limits.ts'
import { restErrors } from '#rest/errors.ts'
import { type Condition, countFilters, parseFilter, parseGroup } from './conditions.ts'
import { type FieldName, readList, readName, readPath, skip, startOf } from './grammar.ts'
import { beginsAsFilter } from './operators.ts'
import { type OrderTerm, type Window, parseCount, parseOrder } from './page.ts'
import { type SelectItem, parseSelect } from './select.ts'

/** The query on one table, either the requested table or an embedded table. */
export type Level = Window & {
  /** The conditions, all of which must hold. */
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  /** The queries on the tables that are embedded in this table, keyed by the tables' names in the select list. */
  readonly embedded: ReadonlyMap<string, Level>
}

/** A parsed query string. */
export type Query = Level & {
  readonly select: readonly SelectItem[]
  /** The columns or arguments to take from a body; `null` for all keys of the body. */
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /**
   * The arguments of a function that is called by GET. The arguments are all parameters that are neither keywords nor
   * filters, each with all of its values.
   */
  readonly arguments: ReadonlyMap<string, readonly string[]>
}

/** The query on one table while it is being parsed. */
type OpenLevel = {
  conditions: Condition[]
  order: readonly OrderTerm[]
  limit: number | null
  offset: number
  embedded: Map<string, OpenLevel>
}

const wholeTable: readonly SelectItem[] = [{ kind: 'all' }]

/** Parses the query string of a URL. Throws PGRST100, PGRST103, PGRST123 and PGRST127. */
export function parseQuery(url: string, { takesArguments }: { takesArguments: boolean }): Query {
  if (url.length > urlBytesMax) throw restErrors.addressTooLong()
  const root = newLevel()
  const named = new Map<string, string>()
  const given = new Map<string, string[]>()
  const start = url.indexOf('?')
  for (const [key, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    if (key === 'select' || key === 'columns' || key === 'on_conflict') keep(named, key, value)
    else if (takesArguments && isArgument(key, value)) given.set(key, [...(given.get(key) ?? []), value])
    else addParameter(root, named, { key, value })
  }
  checkLimits(root)
  const select = parseSelect(named.get('select') ?? '')
  return {
    ...root,
    select: select.length === 0 ? wholeTable : select,
    columns: parseNames(named.get('columns')),
    onConflict: parseNames(named.get('on_conflict')),
    arguments: given,
  }
}

function keep(parameters: Map<string, string>, key: string, value: string): void {
  if (parameters.has(key)) {
    throw restErrors.unparsable(`The parameter ${key} is given twice`, 'expecting it once')
  }
  parameters.set(key, value)
}

/** Keywords that can be used for the requested table and for embedded tables. */
const words = ['and', 'or', 'order', 'limit', 'offset'] as const

function isArgument(key: string, value: string): boolean {
  return !key.includes('.') && !words.some((word) => word === key) && !beginsAsFilter(value)
}

type Parameter = { readonly key: string; readonly value: string }

function addParameter(root: OpenLevel, named: Map<string, string>, { key, value }: Parameter): void {
  const { path, field } = readKey(key)
  // A keyword in quotes is a column name.
  const last = key.slice(key.lastIndexOf('.') + 1)
  const word = words.find((known) => known === last) ?? null
  const isNegated = (word === 'and' || word === 'or') && path.at(-1) === 'not'
  const names = isNegated ? path.slice(0, -1) : path
  // The depth is limited here, because the later stages are recursive.
  if (names.length > restEmbedsMax) {
    throw restErrors.unparsable('Too many embedded tables', `at most ${restEmbedsMax}`)
  }
  let level = root
  for (const name of names) {
    const inner = level.embedded.get(name) ?? newLevel()
    level.embedded.set(name, inner)
    level = inner
  }
  if (word === null) {
    level.conditions.push(parseFilter(field, value))
    return
  }
  if (word === 'and' || word === 'or') {
    level.conditions.push(parseGroup(word, isNegated, value))
    return
  }
  keep(named, [...names, word].join('.'), value)
  if (word === 'order') level.order = parseOrder(value)
  else level[word] = parseCount(word, value)
}

/** Splits `column`, `embedded.column` or `embedded.data->>key` at the last dot. */
function readKey(key: string): { path: string[]; field: FieldName } {
  const cursor = startOf('tree path', key)
  const path: string[] = []
  let name = readName(cursor)
  while (skip(cursor, '.')) {
    path.push(name)
    name = readName(cursor)
  }
  const field = readPath(cursor, name)
  return { path, field }
}

function newLevel(): OpenLevel {
  return { conditions: [], order: [], limit: null, offset: 0, embedded: new Map() }
}

function checkLimits(root: OpenLevel): void {
  const levels = allLevels(root)
  if (levels.reduce((sum, level) => sum + countFilters(level.conditions), 0) > restFiltersMax) {
    throw restErrors.unparsable('Too many filters', `at most ${restFiltersMax}`)
  }
  if (levels.reduce((sum, level) => sum + level.order.length, 0) > restOrderTermsMax) {
    throw restErrors.unparsable('Too many order terms', `at most ${restOrderTermsMax}`)
  }
}

function allLevels(level: OpenLevel): OpenLevel[] {
  return [level, ...[...level.embedded.values()].flatMap(allLevels)]
}

function parseNames(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const cursor = startOf('columns parameter', text)
  return readList(cursor, readName)
}
