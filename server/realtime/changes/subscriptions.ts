/**
 * Turns a channel's `postgres_changes` entries into predicates on changes. If one entry cannot be served, refuses all
 * entries, as upstream does.
 */
import type { Change } from './feed.ts'
import { systemMessages } from '#realtime/errors.ts'
import { FilterError, parseFilter } from './filter-syntax.ts'
import { type RowTest, rowTest } from './filters.ts'
import type { WantedChanges } from '#realtime/connection/join-request.ts'
import type { PublishedTable } from './published-tables.ts'

/**
 * One subscribed entry. `id` is the entry's id in the reply to the join, and `conditions` is the number of conditions
 * in the entry's filter.
 */
export type Subscription = {
  readonly id: number
  readonly conditions: number
  matches(change: Change): boolean
}

/** The reason why a channel cannot subscribe. The channel's `system` frame contains the `message`. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError'
}

/**
 * Returns the subscriptions for the entries. `tables` are the tables from which the caller's role may select. Throws
 * `SubscriptionError`.
 */
export function subscribe(
  wanted: readonly WantedChanges[],
  tables: readonly PublishedTable[],
): Subscription[] {
  return wanted.map((entry) => {
    const { id, event } = entry
    // Choosing columns is not supported and therefore refused. Otherwise the client would receive more columns than it
    // requested.
    if (entry.choosesColumns) throw new SubscriptionError(systemMessages.columns)
    const isWatched = (schema: string, table: string) =>
      (entry.schema === '*' || entry.schema === schema) && (entry.table === '*' || entry.table === table)
    const watched = tables.filter(({ schema, table }) => isWatched(schema, table))
    if (watched.length === 0) throw new SubscriptionError(systemMessages.notPublished(describe(entry)))
    const { test, conditions } = readFilter(entry, watched)
    return {
      id,
      conditions,
      // Filters test the new row. An UPDATE is therefore not sent if the new row does not pass the filter, even if the
      // old row did.
      matches: ({ schema, table, operation, record, oldRecord }) =>
        (event === '*' || event === operation) && isWatched(schema, table) && test(record ?? oldRecord ?? {}),
    }
  })
}

function readFilter(
  { filter }: WantedChanges,
  watched: readonly PublishedTable[],
): { test: RowTest; conditions: number } {
  if (filter === null) return { test: () => true, conditions: 0 }
  const [table, another] = watched
  try {
    if (table === undefined || another !== undefined) throw new FilterError('a filter needs one table')
    // Filters may not use columns that the role may not read, because a client could otherwise find out their values
    // with filters.
    const columns = table.columns.filter(({ isSelectable }) => isSelectable)
    const conditions = parseFilter(filter)
    return { test: rowTest(conditions, columns), conditions: conditions.length }
  } catch (error) {
    if (error instanceof FilterError)
      throw new SubscriptionError(systemMessages.filter(error.message), { cause: error })
    throw error
  }
}

function describe({ event, schema, table, filter }: WantedChanges): string {
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${filter ?? ''}]`
}
