/** Finds reads that take well under a millisecond and can therefore share a connection (docs/overload.md). */
import { type PlannedCondition } from './level.ts'
import type { ReadPlan } from './plan.ts'
import type { Table } from '#rest/schema/schema.ts'

/** Maximum number of rows in a page that can be read and converted to JSON in a fraction of a millisecond. */
const shortPageMax = 100

/**
 * Checks whether the read is short. A read is short if an index provides the rows in the requested order, so that the
 * read ends with the page. A read is also short if the conditions give a value for every column of the primary key, so
 * that only one row is read.
 */
export function isShortRead({ level, countsTotal }: ReadPlan): boolean {
  const { table, selection, conditions, order, limit, offset } = level
  if (countsTotal || offset > 0 || selection.some(({ kind }) => kind === 'embed')) return false
  const given = new Set(conditions.map(givenColumn))
  // All conditions must be of the form `column = value`. Otherwise PostgreSQL may read all rows, even if a policy hides
  // most of them from the caller.
  if (given.size === 0 || given.has(null)) return false
  const isOneRow = table.primaryKey.length > 0 && table.primaryKey.every(({ name }) => given.has(name))
  if (!isOneRow && (limit === null || limit > shortPageMax)) return false
  const wanted = order.map((term) => ({
    name:
      term.entry === null && term.nulls === null && term.field.path.length === 0
        ? term.field.column.name
        : null,
    isDescending: term.direction === 'desc',
  }))
  // A column for which a condition gives the value does not affect the order.
  const rest = wanted.filter(({ name }) => name === null || !given.has(name))
  return table.indexes.some((index) => leadsTo(index, given, isOneRow ? [] : rest))
}

type Wanted = { readonly name: string | null; readonly isDescending: boolean }

function leadsTo(
  index: Table['indexes'][number],
  given: ReadonlySet<string | null>,
  wanted: readonly Wanted[],
): boolean {
  if (!index.slice(0, given.size).every(({ name }) => given.has(name))) return false
  const following = index.slice(given.size, given.size + wanted.length)
  const isBackwards = following[0]?.isDescending !== wanted[0]?.isDescending
  return (
    index.length >= given.size + wanted.length &&
    following.every(
      ({ name, isDescending }, at) =>
        wanted[at]?.name === name && (wanted[at].isDescending !== isDescending) === isBackwards,
    )
  )
}

/** Returns the column of a condition `column = value`; `null` for other conditions. */
function givenColumn(condition: PlannedCondition): string | null {
  if (condition.kind !== 'filter' || condition.isNegated || condition.field.path.length > 0) return null
  const { operator } = condition.test
  const isEquality = operator === 'eq' && condition.test.quantifier === null
  return isEquality ? condition.field.column.name : null
}
