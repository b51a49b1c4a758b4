/**
 * Triggers the processing of due requests (docs/decisions/0067). The database ends the requests that waited too long,
 * carries out the transfers that were scheduled for today, continues the returns of clearing files, and queues the mails
 * about new requests.
 */
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

const intervalMs = 60_000
/**
 * Maximum number of requests of each kind that one database transaction ends, so that the transaction does not lock
 * customers' accounts for long.
 */
const requestsMax = 50

/**
 * Starts a timer that ends due requests immediately and then every minute. The returned function stops the timer.
 * Several servers may end requests at the same time, because each request ends only once.
 */
export function runDueRequests(database: Database, onFailure: (error: unknown) => void): () => Promise<void> {
  const running = new CoalescedTask(async () => {
    const [[row]] = await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql<{ handled: number }>`select private.run_due_requests(${requestsMax}) as handled`,
    ])
    // Each step uses a separate database transaction, because an error must not undo the end of a request. The mails
    // come before the returns, because one transfer that cannot be returned would otherwise hold them back.
    await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql`select private.tell_administrators()`,
    ])
    const [[piece]] = await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql<{ returned: number }>`select private.return_pieces(${requestsMax}) as returned`,
    ])
    if (Math.max(row?.handled ?? 0, piece?.returned ?? 0) >= requestsMax) running.run()
  }, onFailure)
  running.run()
  return repeat(running, intervalMs)
}
