/**
 * The ledger verified once a day by one server of the bank, and soon after a start (security.md MO-10). What is
 * broken is an alarm in the log and `degraded` at `/ready` of every server; money is still served.
 */
import { setTimeout } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '#database/database.ts'
import { CheckLease, LeaseLost } from './check-lease.ts'
import { type BrokenEntry, type LedgerVerdict, describeBroken, verifyLedger } from './verify.ts'

export type LedgerCheckListener = {
  onBroken(line: BrokenEntry & { readonly meaning: string }): void
  onVerified(line: {
    readonly entries: number
    readonly customers: number
    readonly durationMs: number
  }): void
  /** The check itself failed for a reason that is a mistake of ours. */
  onFailure(error: unknown): void
}

export type LedgerCheck = {
  /** What the last check of the bank found; false before the first one. */
  readonly isBroken: boolean
  /** When that ended, in milliseconds since 1970; `null` before the first. */
  readonly checkedAt: number | null
  close(): Promise<void>
}

const firstAfterMs = 5000
/** How soon a server learns what another one found. */
const lookEveryMs = 10_000
const everySeconds = 24 * 3600
/** Servers that are exchanged one after the other check once. The embedded engine has one, which always begins with a check. */
const freshAtStartSeconds = { postgres: 600, pglite: 0 }
/** The database was away: nothing is known, and nothing is alarming. */
const againAfterMs = 60_000
/** At most a third of the embedded engine's time. */
const restPerWork = 2

/** Never throws. */
export function checkDaily(database: Database, listener: LedgerCheckListener): LedgerCheck {
  const end = new AbortController()
  const lease = new CheckLease(database)
  let isBroken = false
  let checkedAt: number | null = null
  let freshSeconds = freshAtStartSeconds[database.engine]
  const rest = (ms: number) => setTimeout(ms, undefined, { ref: false, signal: end.signal })

  const check = async (): Promise<void> => {
    const startedAt = performance.now()
    const verdict = await verifyLedger(database, async (lastMs) => {
      await rest(lastMs * restPerWork)
      await lease.renew()
    })
    isBroken = verdict.broken !== null
    checkedAt = Date.now()
    tell(listener, verdict, performance.now() - startedAt)
    await lease.release(isBroken)
  }
  const look = async (): Promise<number> => {
    try {
      const last = await lease.read()
      isBroken = last.isBroken
      checkedAt = last.ageSeconds === null ? null : Date.now() - last.ageSeconds * 1000
      const isFresh = last.ageSeconds !== null && last.ageSeconds < freshSeconds
      if (!isFresh) {
        if (!last.isFree || !(await lease.acquire(freshSeconds))) return lookEveryMs
        await check()
      }
      freshSeconds = everySeconds
      return lookEveryMs
    } catch (error) {
      if (end.signal.aborted) return 0
      if (error instanceof LeaseLost) return lookEveryMs
      if (error instanceof DatabaseUnavailable) return againAfterMs
      listener.onFailure(error)
      return everySeconds * 1000
    }
  }
  const run = async () => {
    for (let waitMs = firstAfterMs; ; waitMs = await look()) await rest(waitMs)
  }
  // Only `close` aborts a pause. Another server need not wait for the lease to expire.
  const running = run().catch(() => lease.release(null).catch(() => undefined))

  return {
    get isBroken() {
      return isBroken
    },
    get checkedAt() {
      return checkedAt
    },
    async close() {
      end.abort()
      await running
    },
  }
}

function tell(listener: LedgerCheckListener, verdict: LedgerVerdict, durationMs: number): void {
  const { broken, entries, customers } = verdict
  if (broken === null) listener.onVerified({ entries, customers, durationMs: Math.round(durationMs) })
  else listener.onBroken({ ...broken, meaning: describeBroken(broken) })
}
