/**
 * The `postgres_changes` of a channel as predicates on changes. All or nothing, as upstream: with one entry that cannot
 * be served, the channel gets no changes.
 */
import type { Change } from './feed.ts'
import { systemMessages } from '#realtime/errors.ts'
import { FilterError, parseFilter } from './filter-syntax.ts'
import { type RowTest, rowTest } from './filters.ts'
import type { WantedChanges } from '#realtime/connection/join-request.ts'
import type { PublishedTable } from './published-tables.ts'

/** One entry that is being served; `id` is the one of the join's reply, `conditions` how many its filter has. */
export type Subscription = {
  readonly id: number
  readonly conditions: number
  matches(change: Change): boolean
}

/** The reason why a channel is not subscribed; `message` is for its `system` frame. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError'
}

/** `tables` are those that the caller's role may select from. Throws `SubscriptionError`. */
export function subscribe(
  wanted: readonly WantedChanges[],
  tables: readonly PublishedTable[],
): Subscription[] {
  return wanted.map((entry) => {
    const { id, event } = entry
    // Otherwise the client would receive more than it requested.
    if (entry.choosesColumns) throw new SubscriptionError(systemMessages.columns)
    const isWatched = (schema: string, table: string) =>
      (entry.schema === '*' || entry.schema === schema) && (entry.table === '*' || entry.table === table)
    const watched = tables.filter(({ schema, table }) => isWatched(schema, table))
    if (watched.length === 0) throw new SubscriptionError(systemMessages.notPublished(describe(entry)))
    const { test, conditions } = readFilter(entry, watched)
    return {
      id,
      conditions,
      // A row that leaves the filter by an UPDATE is not sent: the new row counts.
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
    // A column that may not be read must not be guessed at by filters either.
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
