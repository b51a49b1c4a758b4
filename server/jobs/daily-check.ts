/**
 * Verifies the ledger once a day on one of the bank's servers, and also soon after a server starts (security.md MO-10).
 * If the ledger has an error, the server logs an alarm, and `/ready` answers `degraded` on every server. All servers
 * continue to serve.
 */
import { setTimeout } from 'node:timers/promises'
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import type { Job, Turn } from './run-jobs.ts'
import { asCaller } from '#database/scope.ts'
import { type BrokenEntry, describeBroken, verifyLedger } from '#ledger/verify.ts'

export type LedgerCheckListener = {
  onBroken(line: BrokenEntry & { readonly meaning: string }): void
  onVerified(line: {
    readonly entries: number
    readonly customers: number
    readonly durationMs: number
  }): void
  /** Called if a bug prevents the result from being read. */
  onFailure(error: unknown): void
}

export type LedgerCheck = {
  /** The job that verifies the ledger. */
  readonly job: Job
  /** True if the bank's last check found an error in the ledger; false before the first check. */
  readonly isBroken: boolean
  /** Time at which the last check ended, in milliseconds since 1970; `null` before the first check. */
  readonly checkedAt: number | null
  close(): Promise<void>
}

/** Interval at which a server reads the result of other servers' checks. */
const readEveryMs = 10_000
const firstAfterMs = 5000
/**
 * Age, in seconds, up to which a starting server accepts the last result instead of checking again. A rolling restart
 * of several servers therefore runs only one check. With the embedded engine, a starting server always checks.
 */
const freshAtStartSeconds = { postgres: 600, pglite: 0 }
/**
 * Pause after each portion, as a multiple of the time that the portion took. A check therefore takes at most a third of
 * the embedded engine's time.
 */
const restPerWork = 2

/** Reads the bank's last result until `close` is called. The returned job verifies the ledger. */
export function checkDaily(database: Database, listener: LedgerCheckListener): LedgerCheck {
  let isBroken = false
  let checkedAt: number | null = null
  const read = async () => {
    const [[last]] = await database.transaction(asCaller({ role: 'service_role' }, 'read'), [
      sql<{ ageSeconds: number | null; isBroken: boolean }>`
        select c.age_seconds as "ageSeconds", c.is_broken as "isBroken" from ledger.read_daily_check() as c`,
    ])
    if (last === undefined) return
    isBroken = last.isBroken
    checkedAt = last.ageSeconds === null ? null : Date.now() - last.ageSeconds * 1000
  }
  const verify = async ({ signal, renew }: Turn) => {
    const startedAt = performance.now()
    const { broken, entries, customers } = await verifyLedger(database, (lastMs) =>
      setTimeout(lastMs * restPerWork, undefined, { ref: false, signal }),
    )
    // A server that has lost its lease must not replace the newer result.
    await renew()
    await recordCheck(database, broken !== null)
    isBroken = broken !== null
    checkedAt = Date.now()
    if (broken !== null) listener.onBroken({ ...broken, meaning: describeBroken(broken) })
    else listener.onVerified({ entries, customers, durationMs: Math.round(performance.now() - startedAt) })
  }
  return {
    job: {
      name: 'verify',
      failure: 'the ledger could not be verified',
      run: verify,
      firstAfterMs,
      firstPauseSeconds: freshAtStartSeconds[database.engine],
    },
    get isBroken() {
      return isBroken
    },
    get checkedAt() {
      return checkedAt
    },
    close: repeat(new CoalescedTask(read, (error) => listener.onFailure(error)), readEveryMs),
  }
}

/** Stores the result of a verification. */
export async function recordCheck(database: Database, isBroken: boolean): Promise<void> {
  await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select ledger.record_check(${isBroken}::boolean)`,
  ])
}
