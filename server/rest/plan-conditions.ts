/** Conditions with the columns that they speak about, and an order that leaves no two rows equal. */
import { restErrors } from './errors.ts'
import type { Condition, Test } from './parse-conditions.ts'
import type { OrderTerm } from './parse-order.ts'
import type { Column, Table } from './schema.ts'

/** A condition on columns that exist. */
export type PlannedCondition =
  | { readonly kind: 'filter'; readonly column: Column; readonly isNegated: boolean; readonly test: Test }
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly PlannedCondition[]
    }

/** An order term on a column that exists. */
export type PlannedOrder = Omit<OrderTerm, 'column'> & { readonly column: Column }

/** The conditions on a table's columns. Throws 42703 and 42883. */
export function planConditions(table: Table, conditions: readonly Condition[]): readonly PlannedCondition[] {
  return conditions.map((condition): PlannedCondition => {
    if (condition.kind === 'group') {
      return { ...condition, members: planConditions(table, condition.members) }
    }
    const column = columnOf(table, condition.column)
    refuseImpossible(column, condition.test)
    return { ...condition, column }
  })
}

/**
 * The order that the client wants, and the primary key downwards where it leaves rows equal: pages that
 * are read one after the other would otherwise overlap (product-decisions §11.14). Throws 42703.
 */
export function planOrder(table: Table, terms: readonly OrderTerm[]): readonly PlannedOrder[] {
  if (terms.length === 0) return []
  const wanted = terms.map((term): PlannedOrder => ({ ...term, column: columnOf(table, term.column) }))
  const ties = table.primaryKey
    .filter((column) => !wanted.some((term) => term.column === column))
    .map((column): PlannedOrder => ({ column, direction: 'desc', nulls: null }))
  return [...wanted, ...ties]
}

/** The table's column of that name. Throws 42703. */
export function columnOf(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw restErrors.undefinedColumn(table.name, name)
  return column
}

const textTypes = new Set(['text', 'character varying', 'character', 'name', 'citext'])
const patternOperators = { like: '~~', ilike: '~~*' }

/** A pattern for what is no text is refused in PostgreSQL's words, without asking it. */
function refuseImpossible(column: Column, { operator }: Test): void {
  if ((operator === 'like' || operator === 'ilike') && !textTypes.has(column.type)) {
    throw restErrors.undefinedOperator(column.type, patternOperators[operator])
  }
}
