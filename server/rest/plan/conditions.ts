/** Plans conditions: finds the columns of their fields, and adds bounds that the conditions imply. */
import { restErrors } from '#rest/errors.ts'
import type { Condition, Filter, Test } from '#rest/parse/conditions.ts'
import { type Field, planField } from './field.ts'
import type { PlannedCondition, Selection } from './level.ts'
import type { Table } from '#rest/schema/schema.ts'

/** Plans the conditions on a table and on the tables that the selection embeds. Throws 42703 and PGRST120. */
export function planConditions(
  table: Table,
  selection: Selection,
  conditions: readonly Condition[],
): readonly PlannedCondition[] {
  return conditions.map((condition): PlannedCondition => {
    if (condition.kind === 'group') {
      return { ...condition, members: planConditions(table, selection, condition.members) }
    }
    const { field, test } = condition
    const entry = selection.findIndex(({ kind, key }) => kind === 'embed' && key === field.column)
    // If a column and an embedded table have the same name, `is null` refers to the embedded table, and all other
    // conditions refer to the column. Upstream does the same.
    if (entry !== -1 && (isPresence(condition) || !table.columns.has(field.column)))
      return planPresence(condition, entry)
    const planned = planField(table, field)
    return { ...condition, field: planned, isExpensive: isExpensive(table, planned, test) }
  })
}

/**
 * Plans `authors=is.null` or `authors=not.is.null`. The server supports only these two conditions on an embedded table
 * itself.
 */
function planPresence(filter: Filter, entry: number): PlannedCondition {
  if (!isPresence(filter)) throw restErrors.embedFilter(filter.field.column)
  return { kind: 'embed', entry, isPresent: filter.isNegated }
}

function isPresence({ field, test }: Filter): boolean {
  return field.path.length === 0 && test.operator === 'is' && test.value === 'null'
}

/**
 * Returns whether a test is expensive. Three kinds of tests are expensive: a test with a pattern, a test on a JSON
 * path, and a list of values for a column outside the primary key.
 */
function isExpensive({ primaryKey }: Table, { column, path }: Field, test: Test): boolean {
  if (path.length > 0 || test.operator === 'like' || test.operator === 'ilike') return true
  const isList = test.operator === 'in' || ('quantifier' in test && test.quantifier !== null)
  return isList && !primaryKey.some(({ name }) => name === column.name)
}

type PlannedFilter = Extract<PlannedCondition, { kind: 'filter' }>
type Direction = 'lte' | 'gte'

const within: Record<Direction, ReadonlySet<string>> = {
  lte: new Set(['lt', 'lte', 'eq']),
  gte: new Set(['gt', 'gte', 'eq']),
}

/**
 * Returns bounds that follow from the conditions. Clients request the page after the row (X, Y) with
 * `or=(date.lt.X,and(date.eq.X,id.lt.Y))`. PostgreSQL does not derive an index bound from an `or`, and would therefore
 * read the list from its beginning for every page. The plan adds the bound `date <= X`, which every member of the `or`
 * implies.
 */
export function impliedBounds(conditions: readonly PlannedCondition[]): readonly PlannedCondition[] {
  return conditions.flatMap((condition) => {
    if (condition.kind !== 'group' || condition.joiner !== 'or' || condition.isNegated) return []
    const [first, ...others] = condition.members
    if (first === undefined || others.length === 0) return []
    for (const direction of ['lte', 'gte'] as const) {
      const bound = boundsOf(first, direction).find((candidate) =>
        others.every((member) => boundsOf(member, direction).some((known) => isSame(known, candidate))),
      )
      if (bound !== undefined) return [bound]
    }
    return []
  })
}

/** Returns the lower or upper bounds that the condition implies. */
function boundsOf(condition: PlannedCondition, direction: Direction): PlannedFilter[] {
  if (condition.kind === 'group') {
    const isConjunction = condition.joiner === 'and' && !condition.isNegated
    return isConjunction ? condition.members.flatMap((member) => boundsOf(member, direction)) : []
  }
  if (condition.kind !== 'filter' || condition.isNegated || condition.field.path.length > 0) return []
  const { test } = condition
  if (!('quantifier' in test) || test.quantifier !== null || !within[direction].has(test.operator)) return []
  return [{ ...condition, test: { operator: direction, quantifier: null, value: test.value } }]
}

function isSame(one: PlannedFilter, other: PlannedFilter): boolean {
  return (
    one.field.column === other.field.column &&
    'value' in one.test &&
    'value' in other.test &&
    one.test.value === other.test.value
  )
}
