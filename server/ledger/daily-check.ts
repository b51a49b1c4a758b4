/**
 * The ledger verified once a day by one server of the bank, and soon after a start (security.md MO-10). What is
 * broken is one line for the operator's alarm, and a word in `/ready` of every server: money is still served, because a bank
 * that stops at a wrong row helps nobody.
 */
import { setTimeout } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '#database/database.ts'
import { CheckTakenOver, CheckTurn } from './shared-check.ts'
import { type BrokenEntry, type LedgerVerdict, describeBroken, verifyLedger } from './verify.ts'

/** Whom the check tells. Each is one line of the log. */
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
  /** Ends after the portion that is being checked. */
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
/** Of all the time, a third at most: whoever waits for the embedded engine waits for one portion. */
const restPerWork = 2

/** Begins to check, in turns with the other servers; never throws, and keeps no process alive. */
export function checkDaily(database: Database, listener: LedgerCheckListener): LedgerCheck {
  const end = new AbortController()
  const turn = new CheckTurn(database)
  let isBroken = false
  let checkedAt: number | null = null
  let freshSeconds = freshAtStartSeconds[database.engine]
  const rest = (ms: number) => setTimeout(ms, undefined, { ref: false, signal: end.signal })

  const check = async (): Promise<void> => {
    const startedAt = performance.now()
    const verdict = await verifyLedger(database, async (lastMs) => {
      await rest(lastMs * restPerWork)
      await turn.keep()
    })
    isBroken = verdict.broken !== null
    checkedAt = Date.now()
    tell(listener, verdict, performance.now() - startedAt)
    await turn.end(isBroken)
  }
  const look = async (): Promise<number> => {
    try {
      const last = await turn.look()
      isBroken = last.isBroken
      checkedAt = last.ageSeconds === null ? null : Date.now() - last.ageSeconds * 1000
      const isFresh = last.ageSeconds !== null && last.ageSeconds < freshSeconds
      if (!isFresh) {
        if (!last.isFree || !(await turn.take(freshSeconds))) return lookEveryMs
        await check()
      }
      freshSeconds = everySeconds
      return lookEveryMs
    } catch (error) {
      if (end.signal.aborted) return 0
      if (error instanceof CheckTakenOver) return lookEveryMs
      if (error instanceof DatabaseUnavailable) return againAfterMs
      listener.onFailure(error)
      return everySeconds * 1000
    }
  }
  const run = async () => {
    for (let waitMs = firstAfterMs; ; waitMs = await look()) await rest(waitMs)
  }
  // Only the end breaks off a rest. Whoever goes on elsewhere need not wait until the turn is over.
  const running = run().catch(() => turn.end(null).catch(() => undefined))

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
