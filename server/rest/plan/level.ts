/** A planned level: the read of one table, with fields that exist (PostgREST v16, Plan/ReadPlan.hs). */
import type { Test } from '#rest/parse/conditions.ts'
import type { OrderTerm } from '#rest/parse/page.ts'
import type { Relationship, Table } from '#rest/schema/schema.ts'
import { type Field, isColumn } from './field.ts'

/** One entry of the answer's objects, under the key that the client wants. */
export type Selected =
  | {
      readonly kind: 'field'
      readonly key: string
      readonly field: Field
      /** The type to cast to; `null` for none. */
      readonly cast: string | null
    }
  | {
      readonly kind: 'embed'
      readonly key: string
      readonly relationship: Relationship
      /** Whether rows without an embedded row are left out. */
      readonly isInner: boolean
      readonly level: LevelPlan
    }

/** The entries of the answer's objects, in their order. */
export type Selection = readonly Selected[]

/** The read of one table: the requested one, or one embedded in it. */
export type LevelPlan = {
  readonly table: Table
  readonly selection: Selection
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  /** `null`: as many as one read may answer. */
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
      /** Costs microseconds for each row, and no index helps. */
      readonly isExpensive: boolean
    }
  /** Whether there is an embedded row, for the entry of that number in the selection. */
  | { readonly kind: 'embed'; readonly entry: number; readonly isPresent: boolean }
  | {
      readonly kind: 'group'
      readonly joiner: 'and' | 'or'
      readonly isNegated: boolean
      readonly members: readonly PlannedCondition[]
    }

/** A term on a field that exists. */
export type PlannedOrder = Pick<OrderTerm, 'direction' | 'nulls'> & {
  readonly field: Field
  /** No index helps: all of the rows are read and compared. */
  readonly isExpensive: boolean
  /** The number of the selection's entry that embeds the field's table; `null` for the table itself. */
  readonly entry: number | null
}

/** Whether every key is what SQL calls its entry anyway, and calls no other: other keys are the client's words. */
export function areOwnNames(entries: readonly Selected[]): boolean {
  const isOwnName = (entry: Selected) =>
    entry.kind === 'embed' ? entry.key === entry.level.table.name : isColumn(entry.field, entry.key)
  return entries.every(isOwnName) && new Set(entries.map(({ key }) => key)).size === entries.length
}
