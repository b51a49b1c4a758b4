/**
 * Counts the writes that the database refuses (security.md DO-08). Rows that were written before the refusal stay in the
 * files, so a session has a bounded number of refusals; the next write is refused before it runs. The person's own bound
 * is beyond the reach of one session, so that a stolen one does not keep its owner from writing.
 */
import {
  type Database,
  type Scope,
  SqlError,
  type SqlStatement,
  isSessionEnded,
  isTransient,
  lacksSecondFactor,
  tooManyRefusalsSqlState,
} from '#database/database.ts'
import { bucketKey } from './buckets.ts'
import { refusedWritesPerSession, refusedWritesPerUser } from './limits.ts'
import { type Throttle, TooManyRequests } from './throttle.ts'

/** A lock that was not had in time is the bank's own load. */
const lockNotAvailable = '55P03'

/** The database, with the writes of signed-in users counted where it refuses them. */
export function countingRefusedWrites(database: Database, throttle: Throttle): Database {
  return {
    ...database,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const { session, access } = scope
      if (session === null || access === 'read') return database.transaction(scope, statements)
      const uses = [
        { limit: refusedWritesPerSession, subject: session.id },
        { limit: refusedWritesPerUser, subject: session.userId },
      ]
      const refusals = uses.map((use) => ({ bucket: bucketKey(use), capacity: use.limit.capacity }))
      try {
        return await database.transaction({ ...scope, refusals }, statements)
      } catch (error) {
        if (isRefusedWrite(error)) {
          await throttle.consume(uses, { session }).catch((uncounted: unknown) => {
            // Several were under way: the last of them finds the bucket full, or their session at its end.
            if (!(uncounted instanceof TooManyRequests || isSessionEnded(uncounted))) throw uncounted
          })
        }
        throw error
      }
    },
  }
}

/** Whether the database refused the write while running it; refusals before that and transient errors do not count. */
function isRefusedWrite(error: unknown): boolean {
  if (!(error instanceof SqlError) || isTransient(error) || error.sqlState === lockNotAvailable) return false
  return !isSessionEnded(error) && !lacksSecondFactor(error) && error.sqlState !== tooManyRefusalsSqlState
}
