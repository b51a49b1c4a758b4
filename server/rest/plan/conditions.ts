/** Conditions with the fields that they speak about, and the bounds that they imply. */
import { restErrors } from '#rest/errors.ts'
import type { Condition, Filter, Test } from '#rest/parse/conditions.ts'
import { type Field, planField } from './field.ts'
import type { PlannedCondition, Selection } from './level.ts'
import type { Table } from '#rest/schema/schema.ts'

/** The conditions on a table and on what the selection embeds. Throws 42703 and PGRST120. */
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
    // As upstream, a column of the same name is meant by everything but the question whether there is a row.
    if (entry !== -1 && (isPresence(condition) || !table.columns.has(field.column)))
      return planPresence(condition, entry)
    const planned = planField(table, field)
    return { ...condition, field: planned, isExpensive: isExpensive(table, planned, test) }
  })
}

/** `authors=is.null`, `authors=not.is.null`: an embedded table can be asked nothing else. */
function planPresence(filter: Filter, entry: number): PlannedCondition {
  if (!isPresence(filter)) throw restErrors.embedFilter(filter.field.column)
  return { kind: 'embed', entry, isPresent: filter.isNegated }
}

function isPresence({ field, test }: Filter): boolean {
  return field.path.length === 0 && test.operator === 'is' && test.value === 'null'
}

/** Patterns, ways into JSON, and lists for other columns than those of the key. */
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
 * The bounds that hold wherever all of the conditions do. Clients request the page after the row (X, Y) by
 * `or=(date.lt.X,and(date.eq.X,id.lt.Y))`. PostgreSQL takes no index bound from an `or` and would read the list from
 * its beginning for every page. Therefore the condition common to all members is added, `date <= X`.
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

/** The bounds in that direction that hold where the condition does. */
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
