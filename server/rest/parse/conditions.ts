/**
 * Parses filters (`column=eq.1`) and logic trees (`or=(a.eq.1,and(b.gt.2,not.c.is.null))`). The source is PostgREST
 * v16, QueryParams.hs, pOpExpr and pLogicTree. The file operators.ts lists the operators.
 */
import { restInListMax, restLogicDepthMax } from '@finanzas/contract/limits.ts'
import {
  type Cursor,
  type FieldName,
  expect,
  match,
  readField,
  readList,
  readQuoted,
  refuse,
  refuseWord,
  skip,
  skipBlanks,
  startOf,
} from './grammar.ts'
import { restErrors } from '#rest/errors.ts'
import {
  type Comparison,
  type Quantifier,
  type State,
  comparisons,
  quantifiable,
  refusedOperators,
  states,
} from './operators.ts'

/** The operator and the operand of a filter. */
export type Test =
  | { readonly operator: Comparison; readonly quantifier: Quantifier | null; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
  | { readonly operator: 'is'; readonly value: State }

/** A test of a field. If the field's name is the name of an embedded table, the test applies to that table. */
export type Filter = {
  readonly kind: 'filter'
  readonly field: FieldName
  readonly isNegated: boolean
  readonly test: Test
}

/** A filter, or a group of filters joined with `and` or `or`. */
export type Condition =
  | Filter
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly Condition[]
    }

/** Reads the text after `column=`. Throws PGRST100 and PGRST127. */
export function parseFilter(field: FieldName, text: string): Filter {
  // As upstream does, ignores any text after the list of `in`, the operand of `is`, or a logic tree.
  return readFilter(startOf('filter', text), field, readRest)
}

/** Reads the text after `and=` or `or=`, including the parentheses. Throws PGRST100 and PGRST127. */
export function parseGroup(joiner: 'and' | 'or', isNegated: boolean, text: string): Condition {
  const cursor = startOf('logic tree', text, (isNegated ? 'not.' : '').length + joiner.length)
  skipBlanks(cursor)
  expect(cursor, '(')
  return readMembers(cursor, { joiner, isNegated, depth: 1 })
}

/** Counts all filters, including those inside groups. */
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

const groupStart = /(not\.)?(and|or)[ \t]*\(/y

function readMember(cursor: Cursor, depth: number): Condition {
  const group = match(cursor, groupStart)
  if (group !== null) {
    const joiner = group[2] === 'and' ? 'and' : 'or'
    return readMembers(cursor, { joiner, isNegated: group[1] !== undefined, depth: depth + 1 })
  }
  const field = readField(cursor)
  expect(cursor, '.')
  return readFilter(cursor, field, readMemberValue)
}

type ReadValue = (cursor: Cursor) => string

const operatorName = /([a-z_]+)(?:\(([\w $]*)\))?\./y

function readFilter(cursor: Cursor, field: FieldName, readValue: ReadValue): Filter {
  const isNegated = skip(cursor, 'not.')
  const start = cursor.at
  const [, name = '', inParentheses = null] = match(cursor, operatorName) ?? []
  const test = readTest(cursor, { name, inParentheses, readValue })
  if (test !== null) return { kind: 'filter', field, isNegated, test }
  cursor.at = start
  return isNegated
    ? refuseWord(cursor, 'in', 'operator (eq, gt, ...)')
    : refuseWord(cursor, 'not', '"not" or operator (eq, gt, ...)')
}

type Operator = { name: string; inParentheses: string | null; readValue: ReadValue }

/** Reads the operand after the operator's name has been read. Returns `null` if the operator is unknown. */
function readTest(cursor: Cursor, { name, inParentheses, readValue }: Operator): Test | null {
  const refused = Object.hasOwn(refusedOperators, name) ? refusedOperators[name] : undefined
  if (refused !== undefined) throw restErrors.notImplemented(`${refused} in filters`)
  if (isKeyOf(comparisons, name)) {
    if (inParentheses === null) return { operator: name, quantifier: null, value: readValue(cursor) }
    const quantifier = inParentheses === 'any' || inParentheses === 'all' ? inParentheses : null
    if (quantifier === null || !quantifiable.has(name)) return null
    return { operator: name, quantifier, value: readValue(cursor) }
  }
  if (inParentheses !== null) return null
  if (name === 'in') return { operator: name, values: readValues(cursor) }
  return name === 'is' ? { operator: name, value: readState(cursor) } : null
}

function isKeyOf<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}

const stateName = new RegExp(Object.keys(states).join('|'), 'iy')

function readState(cursor: Cursor): State {
  const name = match(cursor, stateName)?.[0].toLowerCase() ?? ''
  return isKeyOf(states, name) ? name : refuse(cursor, `isVal: (${Object.keys(states).join(', ')})`)
}

function readValues(cursor: Cursor): string[] {
  skipBlanks(cursor)
  expect(cursor, '(')
  skipBlanks(cursor)
  const values = [readListed(cursor)]
  while (skip(cursor, ',')) values.push(readListed(cursor))
  expect(cursor, ')')
  skipBlanks(cursor)
  if (values.length === 1 && values[0] === '') return []
  if (values.length <= restInListMax) return values
  throw restErrors.unparsable('The list of values is too long', `at most ${restInListMax} values`)
}

/**
 * Reads the value of a filter outside a logic tree. The value is the whole rest of the parameter, in which no character
 * is special.
 */
function readRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.at)
  cursor.at = cursor.text.length
  return rest
}

const braced = /\{[^{}]*\}/y

/** Reads a value in a logic tree. The value may be an array in braces that contains commas. */
function readMemberValue(cursor: Cursor): string {
  return match(cursor, braced)?.[0] ?? readListed(cursor)
}

const listed = /[^,)]*/y

const wholeQuoted = /"(?:[^"\\]|\\.)*"(?=[,)]|$)/suy

/** Reads a value in a list. An unquoted value ends at the next comma or closing parenthesis. */
function readListed(cursor: Cursor): string {
  const start = cursor.at
  if (match(cursor, wholeQuoted) === null) return match(cursor, listed)?.[0] ?? ''
  cursor.at = start
  return readQuoted(cursor)
}
