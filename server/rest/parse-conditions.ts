/**
 * Filters (`column=eq.1`) and trees of them (`or=(a.eq.1,and(b.gt.2,not.c.is.null))`); PostgREST v16,
 * QueryParams.hs, pOpExpr and pLogicTree. Refused on purpose: `match` and `imatch`, whose patterns a
 * client could make run for ever.
 */
import { restInListMax, restLogicDepthMax } from '@finanzas/contract/limits.ts'
import {
  type Cursor,
  expect,
  expectEnd,
  isAtEnd,
  match,
  readList,
  readName,
  readQuoted,
  refuse,
  skip,
  startOf,
} from './cursor.ts'
import { restErrors } from './errors.ts'

const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const
const isValues = ['null', 'not_null', 'true', 'false', 'unknown'] as const

/** Operators that hold a column against one value. */
export type Comparison = (typeof comparisons)[number]
/** What a column can be asked to be. */
export type IsValue = (typeof isValues)[number]

/** What a column is held against. */
export type Test =
  | { readonly operator: Comparison; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
  | { readonly operator: 'is'; readonly value: IsValue }

/** A test of one column. */
export type Filter = {
  readonly kind: 'filter'
  readonly column: string
  readonly isNegated: boolean
  readonly test: Test
}

/** A filter, or several that hold together or one by one. */
export type Condition =
  | Filter
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly Condition[]
    }

/** Reads what stands after `column=`. Throws PGRST100. */
export function parseFilter(column: string, text: string): Filter {
  const cursor = startOf('filter', text)
  const filter = readFilter(cursor, column, readRest)
  expectEnd(cursor)
  return filter
}

/** Reads what stands after `and=` or `or=`, parentheses included. Throws PGRST100. */
export function parseGroup(joiner: 'and' | 'or', isNegated: boolean, text: string): Condition {
  const cursor = startOf('logic tree', text)
  expect(cursor, '(')
  const group = readMembers(cursor, { joiner, isNegated, depth: 1 })
  expectEnd(cursor)
  return group
}

/** How many columns are held against something, in all groups. */
export function countFilters(conditions: readonly Condition[]): number {
  return conditions.reduce(
    (sum, condition) => sum + (condition.kind === 'filter' ? 1 : countFilters(condition.members)),
    0,
  )
}

type Group = { joiner: 'and' | 'or'; isNegated: boolean; depth: number }

function readMembers(cursor: Cursor, { joiner, isNegated, depth }: Group): Condition {
  if (depth > restLogicDepthMax) {
    throw restErrors.unparsable('The logic tree is too deep', `at most ${restLogicDepthMax} levels`)
  }
  const members = readList(cursor, () => readMember(cursor, depth))
  expect(cursor, ')')
  return { kind: 'group', joiner, isNegated, members }
}

const groupStart = /(not\.)?(and|or)\(/y

function readMember(cursor: Cursor, depth: number): Condition {
  const group = match(cursor, groupStart)
  if (group !== null) {
    const joiner = group[2] === 'and' ? 'and' : 'or'
    return readMembers(cursor, { joiner, isNegated: group[1] !== undefined, depth: depth + 1 })
  }
  const column = readName(cursor)
  expect(cursor, '.')
  return readFilter(cursor, column, readListed)
}

type ReadValue = (cursor: Cursor) => string

const word = /[a-z_]+/y

function readFilter(cursor: Cursor, column: string, readValue: ReadValue): Filter {
  const isNegated = skip(cursor, 'not.')
  const start = cursor.at
  const name = match(cursor, word)?.[0]
  const read = (test: Test): Filter => ({ kind: 'filter', column, isNegated, test })
  if (name === 'in' && skip(cursor, '.')) return read({ operator: 'in', values: readValues(cursor) })
  if (name === 'is' && skip(cursor, '.')) return read({ operator: 'is', value: readIsValue(cursor) })
  const operator = comparisons.find((known) => known === name)
  if (operator !== undefined && skip(cursor, '.')) return read({ operator, value: readValue(cursor) })
  cursor.at = start
  return refuse(cursor, `"not" or operator (${[...comparisons, 'in', 'is'].join(', ')})`)
}

function readIsValue(cursor: Cursor): IsValue {
  const start = cursor.at
  const name = match(cursor, /[a-z_]+/iy)?.[0].toLowerCase()
  const value = isValues.find((known) => known === name)
  if (value !== undefined) return value
  cursor.at = start
  return refuse(cursor, `isVal: (${isValues.join(', ')})`)
}

function readValues(cursor: Cursor): string[] {
  expect(cursor, '(')
  if (skip(cursor, ')')) return []
  const values = readList(cursor, readListed)
  expect(cursor, ')')
  if (values.length <= restInListMax) return values
  throw restErrors.unparsable('The list of values is too long', `at most ${restInListMax} values`)
}

/** A filter of its own is the whole parameter: nothing in its value has a meaning. */
function readRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at)
  cursor.at = cursor.text.length
  return rest
}

const listed = /[^,)]*/y

/** In a list a value ends at the next comma or closing parenthesis, unless it is quoted. */
function readListed(cursor: Cursor): string {
  if (!isAtEnd(cursor) && cursor.text[cursor.at] === '"') return readQuoted(cursor)
  return match(cursor, listed)?.[0] ?? ''
}
