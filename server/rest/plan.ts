/**
 * The second stage: what was asked for → what to do with which tables and columns, or the refusal that
 * says why not (PostgREST v16, Plan.hs). Pure: it looks at the schema, never at the database.
 */
import { restRowsMax } from '@finanzas/contract/limits.ts'
import { restErrors } from './errors.ts'
import type { ApiRequest } from './parse.ts'
import { type PlannedCondition, type PlannedOrder, planConditions, planOrder } from './plan-conditions.ts'
import { type Selection, planSelect, refuseEmbeddedQuery, tableOf } from './plan-select.ts'
import { type Conflict, planColumns, planConflict } from './plan-write.ts'
import type { Column, Schema, Table } from './schema.ts'

/** A read of one table and what is embedded in it. */
export type ReadPlan = {
  readonly action: 'read'
  readonly table: Table
  readonly selection: Selection
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  readonly limit: number
  readonly offset: number
  readonly countsTotal: boolean
}

/** What a write answers of the rows that it touched; `null` when only their number is wanted. */
export type Returning = { readonly selection: Selection; readonly order: readonly PlannedOrder[] } | null

/** A write to one table and what is answered of it. */
export type WritePlan = {
  readonly table: Table
  readonly returning: Returning
  /** Touching any other number of rows than one undoes the write. */
  readonly requiresSingle: boolean
} & (
  | {
      readonly action: 'insert'
      readonly columns: readonly Column[]
      readonly json: string
      readonly conflict: Conflict | null
    }
  | {
      readonly action: 'update'
      readonly columns: readonly Column[]
      readonly json: string
      readonly conditions: readonly PlannedCondition[]
    }
  | { readonly action: 'delete'; readonly conditions: readonly PlannedCondition[] }
)

/** What to do for a request to a table. */
export type Plan = ReadPlan | WritePlan

/** Plans a request to a table. Throws `WireError`. */
export function planRequest(schema: Schema, request: ApiRequest): Plan {
  const { query, preferences } = request
  const table = tableOf(schema, request.table)
  refuseEmbeddedQuery(query.select, query.embeddedNames)
  if (request.action === 'read') {
    return {
      action: 'read',
      table,
      selection: planSelect(schema, table, query.select),
      conditions: planConditions(table, query.conditions),
      order: planOrder(table, query.order),
      limit: Math.min(query.limit ?? restRowsMax, restRowsMax),
      offset: query.offset,
      countsTotal: preferences.countsTotal,
    }
  }
  return planWrite(schema, table, request)
}

function planWrite(
  schema: Schema,
  table: Table,
  request: Exclude<ApiRequest, { action: 'read' }>,
): WritePlan {
  const { query, preferences } = request
  if (query.limit !== null || query.offset > 0) {
    throw restErrors.notImplemented('Limits of writes')
  }
  const common = {
    table,
    returning: planReturning(schema, table, request),
    requiresSingle: request.wantsObject,
  }
  switch (request.action) {
    case 'insert': {
      const { payload } = request
      return {
        ...common,
        action: 'insert',
        columns: planColumns(table, payload, query.columns, preferences.missing),
        json: payload.json,
        conflict: planConflict(table, preferences.resolution, query.onConflict),
      }
    }
    case 'update': {
      const { payload } = request
      if (payload.isArray) throw restErrors.invalidBody()
      const conditions = planFilter(table, request, 'UPDATE')
      const columns = planColumns(table, payload, query.columns, null)
      return { ...common, action: 'update', columns, json: payload.json, conditions }
    }
    case 'delete':
      return { ...common, action: 'delete', conditions: planFilter(table, request, 'DELETE') }
    default:
      return request satisfies never
  }
}

/** A change of every row is a mistake more often than a wish, so it is refused (security.md AZ-09). */
function planFilter(table: Table, { query }: ApiRequest, statement: 'UPDATE' | 'DELETE') {
  if (query.conditions.length === 0) throw restErrors.unfiltered(statement)
  return planConditions(table, query.conditions)
}

function planReturning(schema: Schema, table: Table, { query, preferences }: ApiRequest): Returning {
  switch (preferences.returned) {
    case 'representation':
      return { selection: planSelect(schema, table, query.select), order: planOrder(table, query.order) }
    case 'headers-only':
      return {
        selection: table.primaryKey.map((column) => ({ kind: 'column', key: column.name, column })),
        order: [],
      }
    case 'minimal':
    case null:
      return null
    default:
      return preferences.returned satisfies never
  }
}
