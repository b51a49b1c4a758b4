/**
 * The second stage: turns a parsed request into actions on tables and columns, or refuses it (PostgREST v16, Plan.hs).
 * Has no side effects and uses only the schema, not the database.
 */
import { restErrors } from '#rest/errors.ts'
import type { ApiRequest } from '#rest/parse/parse.ts'
import type { Format } from '#rest/parse/headers.ts'
import { planConditions } from './conditions.ts'
import type { LevelPlan, PlannedCondition } from './level.ts'
import { fieldEntry, planLevel, tableOf } from './read.ts'
import { type Conflict, type WrittenColumns, planColumns, planConflict } from './write.ts'
import type { NamedTable, Schema, Table } from '#rest/schema/schema.ts'

/** A read of one table and of the tables that are embedded in it. */
export type ReadPlan = {
  readonly action: 'read'
  readonly level: LevelPlan
  readonly format: Format
  readonly countsTotal: boolean
}

/**
 * The numbers of rows for which a write or a call takes effect. With any other number of rows, the database rolls the
 * write or the call back.
 */
export type AllowedRows = {
  /** If true, exactly one row must be written or returned. */
  readonly requiresSingle: boolean
  /** Maximum number of written or returned rows; `null` if the client does not set a limit. */
  readonly maxAffected: number | null
}

/** The plan for a write to one table and for the answer to this write. */
export type WritePlan = AllowedRows & {
  readonly table: Table
  /** The plan for reading the written rows; `null` if only their number is needed. */
  readonly returning: LevelPlan | null
  readonly format: Format
} & (
    | ({
        readonly action: 'insert'
        readonly json: string
        readonly conflict: Conflict | null
      } & WrittenColumns)
    | ({
        readonly action: 'update'
        readonly json: string
        readonly conditions: readonly PlannedCondition[]
      } & WrittenColumns)
    | { readonly action: 'delete'; readonly conditions: readonly PlannedCondition[] }
  )

export type Plan = ReadPlan | WritePlan

/** Plans a request to a table. Throws `WireError`. */
export function planRequest(schema: Schema, request: ApiRequest): Plan {
  const { query, preferences, format } = request
  const table = tableOf(schema, request.table)
  if (request.action === 'read') {
    const level = planLevel(schema, table, { items: query.select, level: query })
    return { action: 'read', level, format, countsTotal: preferences.countsTotal }
  }
  return planWrite(schema, table, request)
}

function planWrite(
  schema: Schema,
  table: NamedTable,
  request: Exclude<ApiRequest, { action: 'read' }>,
): WritePlan {
  const { query, preferences, format } = request
  if (query.limit !== null || query.offset > 0) throw restErrors.notImplemented('Limits of writes')
  const common = {
    table,
    returning: planReturning(schema, table, request),
    format,
    requiresSingle: format.kind === 'object',
    maxAffected: request.action === 'insert' ? null : preferences.maxAffected,
  }
  switch (request.action) {
    case 'insert': {
      const { payload } = request
      return {
        ...common,
        ...planColumns(table, request),
        action: 'insert',
        json: payload.json,
        conflict: planConflict(table, preferences.resolution, query.onConflict),
      }
    }
    case 'update': {
      const { payload } = request
      const conditions = planFilter(table, request, 'UPDATE')
      const columns = planColumns(table, request)
      return { ...common, ...columns, action: 'update', json: payload.json, conditions }
    }
    case 'delete':
      return { ...common, action: 'delete', conditions: planFilter(table, request, 'DELETE') }
    default:
      return request satisfies never
  }
}

/**
 * Plans the filter of a write. A write without a filter would change every row, which is usually a mistake, so it is
 * refused (security.md AZ-09).
 */
function planFilter(table: Table, { query }: ApiRequest, statement: 'UPDATE' | 'DELETE') {
  if (query.conditions.length === 0) throw restErrors.unfiltered(statement)
  return planConditions(table, [], query.conditions)
}

function planReturning(
  schema: Schema,
  table: Table,
  { query, preferences }: ApiRequest,
): WritePlan['returning'] {
  // The filter selects only the rows to write. The answer contains all written rows, even if they no longer pass the
  // filter.
  const level = { ...query, conditions: [] }
  if (preferences.returned === 'representation')
    return planLevel(schema, table, { items: query.select, level })
  if (preferences.returned !== 'headers-only') return null
  const key = new Set(table.primaryKey.map(({ name }) => name))
  // The new row's URL contains the columns of the primary key in the order of the table's columns, as in upstream's
  // answer.
  const selection = [...table.columns.values()].filter(({ name }) => key.has(name)).map(fieldEntry)
  return { table, selection, conditions: [], order: [], limit: null, offset: 0 }
}
