/**
 * Counts the writes that the database refuses (security.md DO-08). The number of refused writes per session is limited,
 * because the rows of a refused write stay in the database's files. Above the limit, the database refuses a write
 * before the write runs. One session alone cannot reach its user's limit; therefore a stolen session cannot keep the
 * owner from writing.
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
import { keyOf } from './attempts.ts'
import { type Throttle, TooManyRequests } from './throttle.ts'

/** A lock timeout does not count, because the bank's own load causes it. */
const lockNotAvailable = '55P03'

/** Wraps the database and counts the refused writes of signed-in users. */
export function countingRefusedWrites(database: Database, throttle: Throttle): Database {
  return {
    ...database,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const { session, access } = scope
      if (session === null || access === 'read') return database.transaction(scope, statements)
      const uses = [
        { limit: 'refused write of a session', subject: session.id },
        { limit: 'refused write', subject: session.userId },
      ] as const
      const refusals = uses.map((use) => ({ limit: use.limit, key: keyOf(use) }))
      try {
        return await database.transaction({ ...scope, refusals }, statements)
      } catch (error) {
        if (isRefusedWrite(error)) {
          await throttle.consume(uses, { session }).catch((uncounted: unknown) => {
            // A concurrent write may have used up the limit, or the session may have ended.
            if (!(uncounted instanceof TooManyRequests || isSessionEnded(uncounted))) throw uncounted
          })
        }
        throw error
      }
    },
  }
}

/**
 * Returns true if the database refused the write while the write ran. Transient errors do not count, nor do refusals
 * that happened before the write ran.
 */
function isRefusedWrite(error: unknown): boolean {
  if (!(error instanceof SqlError) || isTransient(error) || error.sqlState === lockNotAvailable) return false
  return !isSessionEnded(error) && !lacksSecondFactor(error) && error.sqlState !== tooManyRefusalsSqlState
}
