/**
 * The database records automatic recurring expenses on the day on which they are due. This module triggers the
 * recording when the server starts and every ten minutes. Several servers may trigger the recording at the same time,
 * because each expense is recorded only once for each day on which it is due (docs/decisions/0062).
 */
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

const intervalMs = 10 * 60_000
/**
 * Maximum number of expenses that one database transaction records, so that the transaction does not lock customers'
 * accounts for long.
 */
const occurrencesMax = 200

/** Starts to record due expenses regularly. The returned function stops the recording. */
export function recordDueExpenses(
  database: Database,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const recording = new CoalescedTask(async () => {
    const [[row]] = await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql<{ handled: number }>`select private.record_due_expenses(${occurrencesMax}) as handled`,
    ])
    if ((row?.handled ?? 0) >= occurrencesMax) recording.run()
  }, onFailure)
  recording.run()
  return repeat(recording, intervalMs)
}
