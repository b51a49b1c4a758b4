/**
 * Transfers between customers (docs/decisions/0067). The database keeps the bank's features and the limits of
 * transfers, and enforces them. This module writes the features and the limits when the server starts. The server also
 * triggers the processing of due requests: the database then ends the requests that waited too long, carries out the
 * transfers that were scheduled for today, and queues the mails about new requests.
 */
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import { asCaller, asService } from '#database/scope.ts'

export type TransferRules = {
  /** A transfer up to this amount, in units of the currency, needs no decision by an administrator. */
  readonly automaticMax: number
  readonly transferMax: number
  readonly dayMax: number
  readonly expiresHours: number
}

/** Enables exactly these features of the bank, after writing the limits of transfers. */
export async function setFeatures(
  database: Database,
  { features, transfers }: { readonly features: readonly string[]; readonly transfers: TransferRules },
): Promise<void> {
  const { automaticMax, transferMax, dayMax, expiresHours } = transfers
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select private.set_transfer_rules(${automaticMax}, ${transferMax}, ${dayMax}, ${expiresHours})`,
    sql`
      select private.set_features(array(select jsonb_array_elements_text(${JSON.stringify(features)}::jsonb)))`,
  ])
}

type ClearingRules = {
  readonly brandName: string
  readonly displayCurrency: string
  /** The account from which the bank settles its clearing; `null` if the files need not state the account. */
  readonly clearingAccount: string | null
}

/** Stores the bank's name, account and currency for its clearing files (docs/decisions/0070). */
export async function setClearingRules(
  database: Database,
  { brandName, displayCurrency, clearingAccount }: ClearingRules,
): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    // ISO 20022 writes NOTPROVIDED for an account that the receiver knows.
    sql`select private.set_clearing_rules(${brandName}, ${clearingAccount ?? 'NOTPROVIDED'}, ${displayCurrency})`,
  ])
}

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
    // Uses another database transaction, because an error must not undo the end of a request.
    await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql`select private.tell_administrators()`,
    ])
    if ((row?.handled ?? 0) >= requestsMax) running.run()
  }, onFailure)
  running.run()
  return repeat(running, intervalMs)
}
