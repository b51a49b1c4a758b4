/**
 * Regularly makes the database report events to the customers who want to be notified (docs/decisions/0069). The
 * database records the events, adds them to the customers' lists, and queues the mails.
 */
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'

const intervalMs = 15_000
/** Maximum number of events that one database transaction reports. */
const eventsMax = 1000
/**
 * Maximum number of mails that one interval enqueues. The mails of a payroll are therefore spread over several minutes,
 * and a mail with a sign-in link does not wait for all these mails.
 */
const mailsMax = 100

/** Reports events every 15 seconds until the returned function is called. Only one server reports events at a time. */
export function tellCustomers(database: Database, onFailure: (error: unknown) => void): () => Promise<void> {
  return repeat(new CoalescedTask(() => report(database), onFailure), intervalMs)
}

async function report(database: Database): Promise<void> {
  for (let told = eventsMax, mails = mailsMax; told >= eventsMax; mails = 0) {
    const [[row]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
      sql<{ told: number }>`select private.tell_customers(${eventsMax}, ${mails}) as told`,
    ])
    told = row?.told ?? 0
  }
}
