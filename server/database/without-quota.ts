/** For load tests (`AUTH_RATE_LIMITS=off`): customers who post more in minutes than people do in years. */
import type { Database } from './database.ts'

/** The same database, in which the quota of own postings does not count. */
export function withoutQuota(database: Database): Database {
  return {
    ...database,
    transaction: (scope, statements) => database.transaction({ ...scope, isWithoutQuota: true }, statements),
  }
}
