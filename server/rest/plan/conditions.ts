/** Conditions with the fields that they speak about. */
import { restErrors } from '#rest/errors.ts'
import type { Condition, Filter, Test } from '#rest/parse/conditions.ts'
import { type Field, planField } from './field.ts'
import type { Selection } from './read.ts'
import type { Table } from '#rest/schema/schema.ts'

/** A condition on fields that exist, or on embedded rows. */
export type PlannedCondition =
  | {
      readonly kind: 'filter'
      readonly field: Field
      readonly isNegated: boolean
      readonly test: Test
      /** Costs microseconds for each row it is held against, and no index helps. */
      readonly isDear: boolean
    }
  /** Whether there is an embedded row, for the entry of that number in the selection. */
  | { readonly kind: 'embed'; readonly entry: number; readonly isPresent: boolean }
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly PlannedCondition[]
    }

/** The conditions on a table and on what the selection embeds. Throws 42703, 42883 and PGRST120. */
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
    if (entry !== -1) return planPresence(condition, entry)
    const planned = planField(table, field)
    refuseImpossible(planned, test)
    return { ...condition, field: planned, isDear: isDear(table, planned, test) }
  })
}

/** `authors=is.null`, `authors=not.is.null`: an embedded table can be asked nothing else. */
function planPresence({ field, test, isNegated }: Filter, entry: number): PlannedCondition {
  const isAllowed = test.operator === 'is' && (test.value === 'null' || test.value === 'not_null')
  if (!isAllowed || field.path.length > 0) throw restErrors.embedFilter(field.column)
  return { kind: 'embed', entry, isPresent: (test.value === 'null') === isNegated }
}

/** Patterns, ways into JSON, and lists for other columns than those of the key. */
function isDear({ primaryKey }: Table, { column, path }: Field, test: Test): boolean {
  if (path.length > 0 || test.operator === 'like' || test.operator === 'ilike') return true
  const isList = test.operator === 'in' || ('quantifier' in test && test.quantifier !== null)
  return isList && !primaryKey.some(({ name }) => name === column.name)
}

const textTypes = new Set(['text', 'character varying', 'bpchar', 'name', 'citext'])
const patternSigns = { like: '~~', ilike: '~~*' }

/** A pattern for what is no text is refused in PostgreSQL's words, without asking it. */
function refuseImpossible({ type }: Field, { operator }: Test): void {
  if ((operator === 'like' || operator === 'ilike') && !textTypes.has(type)) {
    throw restErrors.undefinedOperator(type, patternSigns[operator])
  }
}
