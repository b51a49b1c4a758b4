/** Types of a planned level, which is the read of one table with existing fields (PostgREST v16, Plan/ReadPlan.hs). */
import type { Test } from '#rest/parse/conditions.ts'
import type { OrderTerm } from '#rest/parse/page.ts'
import type { Relationship, Table } from '#rest/schema/schema.ts'
import { type Field, isColumn } from './field.ts'

/** One entry of the answer's objects, with the key that the client chose. */
export type Selected =
  | {
      readonly kind: 'field'
      readonly key: string
      readonly field: Field
      /** The type of the cast; `null` without one. */
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

/** The entries of the answer's objects, in order. */
export type Selection = readonly Selected[]

/** The read of one table: the requested table or an embedded table. */
export type LevelPlan = {
  readonly table: Table
  readonly selection: Selection
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  /** `null` for the maximum of one read. */
  readonly limit: number | null
  readonly offset: number
}

/** A condition on existing fields, or on embedded rows. */
export type PlannedCondition =
  | {
      readonly kind: 'filter'
      readonly field: Field
      readonly isNegated: boolean
      readonly test: Test
      /** True if the condition costs microseconds per row and no index helps. */
      readonly isExpensive: boolean
    }
  /** Tests whether an embedded row exists, for the entry with this index in the selection. */
  | { readonly kind: 'embed'; readonly entry: number; readonly isPresent: boolean }
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly PlannedCondition[]
    }

/** An order by an existing field. */
export type PlannedOrder = Pick<OrderTerm, 'direction' | 'nulls'> & {
  readonly field: Field
  /** True if no index helps, so all rows are read and compared. */
  readonly isExpensive: boolean
  /** Index of the selection's entry that embeds the field's table; `null` for the table itself. */
  readonly entry: number | null
}

/**
 * Checks that every key is unique and equals the SQL name of its entry. Otherwise the client chose the key with an
 * alias.
 */
export function areOwnNames(entries: readonly Selected[]): boolean {
  const isOwnName = (entry: Selected) =>
    entry.kind === 'embed' ? entry.key === entry.level.table.name : isColumn(entry.field, entry.key)
  return entries.every(isOwnName) && new Set(entries.map(({ key }) => key)).size === entries.length
}
