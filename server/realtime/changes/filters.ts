/**
 * Filters evaluated on rows, with SQL's three values: a comparison with null is neither true nor
 * false, and so is its negation. A filter only narrows a channel's events; the database decides which rows are visible
 * (authorize.ts).
 */
import { realtimeLikePatternLengthMax } from '@finanzas/contract/limits.ts'
import { type ColumnKind, type Comparable, columnKind, comparableOf } from './column-values.ts'
import { type Condition, FilterError, type WrittenValue } from './filter-syntax.ts'
import { likePattern } from './like-pattern.ts'

export type RowTest = (row: Readonly<Record<string, unknown>>) => boolean

/** `type` is `pg_type.typname`. */
export type FilterColumn = { readonly name: string; readonly type: string }

/** True, false, or null for SQL's unknown. */
type Ternary = boolean | null
type Predicate = (value: unknown) => Ternary

/** Makes the test that all conditions hold. Throws `FilterError` for columns and values that do not fit. */
export function rowTest(conditions: readonly Condition[], columns: readonly FilterColumn[]): RowTest {
  const tests = conditions.map((condition): RowTest => {
    const column = columns.find(({ name }) => name === condition.column)
    if (column === undefined) throw new FilterError(`invalid column for filter ${condition.column}`)
    const kind = columnKind(column.type)
    if (kind === null) throw new FilterError(`columns of type ${column.type} cannot be filtered`)
    const predicate = predicateOf(condition, kind)
    const wanted = !condition.isNegated
    return (row) => predicate(row[column.name]) === wanted
  })
  return (row) => tests.every((test) => test(row))
}

function predicateOf(condition: Condition, kind: ColumnKind): Predicate {
  if (condition.operator === 'in') return inPredicate(condition.values, kind)
  const { operator, value } = condition
  if (operator === 'is') return isPredicate(value, kind)
  if (operator === 'isdistinct') return distinctPredicate(value, kind)
  if (operator === 'like' || operator === 'ilike') {
    return likePredicate(value.text, { kind, foldsCase: operator === 'ilike' })
  }
  return comparison(operator, value, kind)
}

const comparisons = {
  eq: (found: Comparable, wanted: Comparable) => found === wanted,
  neq: (found: Comparable, wanted: Comparable) => found !== wanted,
  lt: (found: Comparable, wanted: Comparable) => found < wanted,
  lte: (found: Comparable, wanted: Comparable) => found <= wanted,
  gt: (found: Comparable, wanted: Comparable) => found > wanted,
  gte: (found: Comparable, wanted: Comparable) => found >= wanted,
}

function comparison(operator: keyof typeof comparisons, written: WrittenValue, kind: ColumnKind): Predicate {
  const wanted = operand(written, kind)
  const compare = comparisons[operator]
  return (value) => {
    const found = comparableOf(kind, value)
    return found === null ? null : compare(found, wanted)
  }
}

function inPredicate(values: readonly WrittenValue[], kind: ColumnKind): Predicate {
  const wanted = new Set(values.map((written) => operand(written, kind)))
  return (value) => {
    const found = comparableOf(kind, value)
    return found === null ? null : wanted.has(found)
  }
}

function isPredicate({ text }: WrittenValue, kind: ColumnKind): Predicate {
  const word = text.toLowerCase()
  if (word === 'null') return (value) => value === null || value === undefined
  if (kind !== 'boolean') throw new FilterError(`"is.${text}" needs a boolean column`)
  if (word === 'unknown') return (value) => value === null || value === undefined
  if (word !== 'true' && word !== 'false') throw new FilterError(`"is.${text}" is not known`)
  return (value) => value === (word === 'true')
}

/** `is distinct from`: null is a value like any other. */
function distinctPredicate(written: WrittenValue, kind: ColumnKind): Predicate {
  if (!written.isQuoted && written.text === 'null') return (value) => value !== null && value !== undefined
  const wanted = operand(written, kind)
  return (value) => comparableOf(kind, value) !== wanted
}

function likePredicate(
  pattern: string,
  { kind, foldsCase }: { kind: ColumnKind; foldsCase: boolean },
): Predicate {
  if (kind !== 'text') throw new FilterError('`like` and `ilike` need a text column')
  if ([...pattern].length > realtimeLikePatternLengthMax) throw new FilterError('the pattern is too long')
  const matches = likePattern(pattern, { foldsCase })
  return (value) => (typeof value === 'string' ? matches(value) : null)
}

function operand({ text }: WrittenValue, kind: ColumnKind): Comparable {
  const value = comparableOf(kind, text)
  if (value === null) throw new FilterError(`"${text}" does not fit the column`)
  return value
}
