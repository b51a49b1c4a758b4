/**
 * The bound that a page by key implies. A page after the row (X, Y) is asked for by
 * `or=(date.lt.X,and(date.eq.X,id.lt.Y))`, and PostgreSQL takes no bound for an index from an `or`: it
 * would read the list from its beginning for every page. So what all members say is said once more:
 * `date <= X`. It never changes what is answered.
 */
import type { PlannedCondition } from './level.ts'

type Filter = Extract<PlannedCondition, { kind: 'filter' }>
type Direction = 'lte' | 'gte'

const within: Record<Direction, ReadonlySet<string>> = {
  lte: new Set(['lt', 'lte', 'eq']),
  gte: new Set(['gt', 'gte', 'eq']),
}

/** The bounds that hold wherever all of the conditions do. */
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
function boundsOf(condition: PlannedCondition, direction: Direction): Filter[] {
  if (condition.kind === 'group') {
    const isConjunction = condition.joiner === 'and' && !condition.isNegated
    return isConjunction ? condition.members.flatMap((member) => boundsOf(member, direction)) : []
  }
  if (condition.kind !== 'filter' || condition.isNegated || condition.field.path.length > 0) return []
  const { test } = condition
  if (!('quantifier' in test) || test.quantifier !== null || !within[direction].has(test.operator)) return []
  return [{ ...condition, test: { operator: direction, quantifier: null, value: test.value } }]
}

function isSame(one: Filter, other: Filter): boolean {
  return (
    one.field.column === other.field.column &&
    'value' in one.test &&
    'value' in other.test &&
    one.test.value === other.test.value
  )
}
