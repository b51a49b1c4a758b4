/**
 * The database posts batches in portions. This module triggers the posting when the server starts, after each write by
 * an administrator, and every ten seconds. Several servers may post at the same time, because each line is posted only
 * once (docs/decisions/0064).
 */
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, type Scope, type SqlStatement, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

/** Interval at which a server checks for batches that another server has left unfinished. */
const intervalMs = 10_000
/**
 * Number of lines that one database transaction posts. The transaction locks the accounts of the customers in its
 * lines. Other requests can run between two of these transactions.
 */
const linesPerPiece = 100

/** Posts batches until `end` is called. `begin` checks immediately whether a batch is waiting. */
export function postBatches(
  database: Database,
  onFailure: (error: unknown) => void,
): { readonly begin: () => void; readonly end: () => Promise<void> } {
  const scope: Scope = { ...asCaller({ role: 'service_role' }, 'write'), isStaff: true }
  const posting = new CoalescedTask(async () => {
    const [[piece]] = await database.transaction(scope, [
      sql<{ isPosted: boolean }>`select private.post_batch_piece(${linesPerPiece}) as "isPosted"`,
    ])
    if (piece?.isPosted === true) posting.run()
  }, onFailure)
  posting.run()
  return { begin: () => posting.run(), end: repeat(posting, intervalMs) }
}

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
