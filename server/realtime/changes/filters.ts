/**
 * Evaluates filters on rows. A null value does not pass any comparison. Filters only reduce the number of events that a
 * channel gets. The database decides which rows a caller may see (authorize.ts).
 */
import { type ColumnKind, type Comparable, columnKind, comparableOf } from './column-values.ts'
import { type Condition, FilterError } from './filter-syntax.ts'

export type RowTest = (row: Readonly<Record<string, unknown>>) => boolean

/** `type` is `pg_type.typname`. */
export type FilterColumn = { readonly name: string; readonly type: string }

/**
 * Returns a function that tests whether a row meets all conditions. Throws `FilterError` for unknown columns and for
 * values that do not fit a column's type.
 */
export function rowTest(conditions: readonly Condition[], columns: readonly FilterColumn[]): RowTest {
  const tests = conditions.map((condition): RowTest => {
    const column = columns.find(({ name }) => name === condition.column)
    if (column === undefined) throw new FilterError(`invalid column for filter ${condition.column}`)
    const kind = columnKind(column.type)
    if (kind === null) throw new FilterError(`columns of type ${column.type} cannot be filtered`)
    const passes = comparison(condition, kind)
    return (row) => {
      const found = comparableOf(kind, row[column.name])
      return found !== null && passes(found)
    }
  })
  return (row) => tests.every((test) => test(row))
}

const comparisons = {
  eq: (found: Comparable, wanted: Comparable) => found === wanted,
  neq: (found: Comparable, wanted: Comparable) => found !== wanted,
  lt: (found: Comparable, wanted: Comparable) => found < wanted,
  lte: (found: Comparable, wanted: Comparable) => found <= wanted,
  gt: (found: Comparable, wanted: Comparable) => found > wanted,
  gte: (found: Comparable, wanted: Comparable) => found >= wanted,
}

function comparison(condition: Condition, kind: ColumnKind): (found: Comparable) => boolean {
  if (condition.operator === 'in') {
    const wanted = new Set(condition.values.map((value) => operand(value, kind)))
    return (found) => wanted.has(found)
  }
  const compare = comparisons[condition.operator]
  const wanted = operand(condition.value, kind)
  return (found) => compare(found, wanted)
}

function operand(text: string, kind: ColumnKind): Comparable {
  const value = comparableOf(kind, text)
  if (value === null) throw new FilterError(`"${text}" does not fit the column`)
  return value
}
