/** Batches are posted soon after an administrator has requested them (docs/decisions/0064). */
import type { Database, Scope, SqlStatement } from '#database/database.ts'

/**
 * Wraps the database. Calls `onStaffWrite` after each write by an administrator, because the write may have requested a
 * batch.
 */
export function noticingStaffWrites(database: Database, onStaffWrite: () => void): Database {
  return {
    ...database,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const rows = await database.transaction(scope, statements)
      if (scope.isStaff === true && scope.access === 'write') onStaffWrite()
      return rows
    },
  }
}
