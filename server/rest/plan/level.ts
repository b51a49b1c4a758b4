/**
 * The types that describe the plan of a level, which is the read of one table. All fields in the plan exist (PostgREST
 * v16, Plan/ReadPlan.hs).
 */
import type { Test } from '#rest/parse/conditions.ts'
import type { OrderTerm } from '#rest/parse/page.ts'
import type { Relationship, Table } from '#rest/schema/schema.ts'
import { type Field, isColumn } from './field.ts'

/** One field of the objects in the answer: its key and its value. */
export type Selected =
  | {
      readonly kind: 'field'
      readonly key: string
      readonly field: Field
      /** The SQL name of the type to which to cast; `null` without a cast. */
      readonly cast: string | null
    }
  | {
      readonly kind: 'embed'
      readonly key: string
      readonly relationship: Relationship
      /** Whether rows without an embedded row are omitted. */
      readonly isInner: boolean
      readonly level: LevelPlan
    }

/** The entries of each object in the answer, in order. */
export type Selection = readonly Selected[]

/** The plan for reading one table, which is either the requested table or an embedded table. */
export type LevelPlan = {
  readonly table: Table
  readonly selection: Selection
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  /** Maximum number of rows; `null` if only the server's own maximum applies. */
  readonly limit: number | null
  readonly offset: number
}

/** A condition on fields that exist, or on embedded rows. */
export type PlannedCondition =
  | {
      readonly kind: 'filter'
      readonly field: Field
      readonly isNegated: boolean
      readonly test: Test
      /** True if evaluating the condition takes microseconds per row and the condition cannot use an index. */
      readonly isExpensive: boolean
    }
  /** Tests whether the selection's entry with this index embeds a row. */
  | { readonly kind: 'embed'; readonly entry: number; readonly isPresent: boolean }
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly PlannedCondition[]
    }

/** A sort order by a field that exists. */
export type PlannedOrder = Pick<OrderTerm, 'direction' | 'nulls'> & {
  readonly field: Field
  /** True if no index provides the order, so that all rows must be read and compared. */
  readonly isExpensive: boolean
  /**
   * The index of the selection's entry that embeds the field's table; `null` if the field belongs to the table itself.
   */
  readonly entry: number | null
}

/**
 * Checks whether every key is unique and equals the SQL name of its entry. A key that is not the SQL name of its entry
 * is an alias that the client chose.
 */
export function areOwnNames(entries: readonly Selected[]): boolean {
  const isOwnName = (entry: Selected) =>
    entry.kind === 'embed' ? entry.key === entry.level.table.name : isColumn(entry.field, entry.key)
  return entries.every(isOwnName) && new Set(entries.map(({ key }) => key)).size === entries.length
}
