/**
 * Verifies the ledger once a day on one of the bank's servers, and also soon after a server starts (security.md MO-10).
 * If the ledger has an error, the server logs an alarm, and `/ready` answers `degraded` on every server. All servers
 * continue to serve.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { type BrokenEntry, describeBroken, verifyLedger } from './verify.ts'

export type LedgerCheckListener = {
  onBroken(line: BrokenEntry & { readonly meaning: string }): void
  onVerified(line: {
    readonly entries: number
    readonly customers: number
    readonly durationMs: number
  }): void
  /** Called if a bug made the check itself fail. */
  onFailure(error: unknown): void
}

export type LedgerCheck = {
  /** True if the bank's last check found an error in the ledger; false before the first check. */
  readonly isBroken: boolean
  /** Time at which the last check ended, in milliseconds since 1970; `null` before the first check. */
  readonly checkedAt: number | null
  close(): Promise<void>
}

const firstAfterMs = 5000
const leaseSeconds = 120
const renewAfterMs = 30_000
/** Interval at which a server reads the result of other servers' checks. */
const lookEveryMs = 10_000
const everySeconds = 24 * 3600
/**
 * Maximum age, in seconds, of a result that a starting server accepts instead of checking again. A rolling restart of
 * several servers therefore runs only one check. With the embedded engine, a starting server always checks.
 */
const freshAtStartSeconds = { postgres: 600, pglite: 0 }
/** Wait before the next attempt after a database outage. The check does not raise an alarm about an outage. */
const againAfterMs = 60_000
/**
 * Pause after each portion, as a multiple of the time that the portion took. A check therefore takes at most a third of
 * the embedded engine's time.
 */
const restPerWork = 2

/** Starts the daily check. Never throws. */
export function checkDaily(database: Database, listener: LedgerCheckListener): LedgerCheck {
  const end = new AbortController()
  const lease = new CheckLease(database)
  let isBroken = false
  let checkedAt: number | null = null
  let freshSeconds = freshAtStartSeconds[database.engine]
  const rest = (ms: number) => setTimeout(ms, undefined, { ref: false, signal: end.signal })

  const check = async (): Promise<void> => {
    const startedAt = performance.now()
    const { broken, entries, customers } = await verifyLedger(database, async (lastMs) => {
      await rest(lastMs * restPerWork)
      await lease.renew()
    })
    isBroken = broken !== null
    checkedAt = Date.now()
    if (broken !== null) listener.onBroken({ ...broken, meaning: describeBroken(broken) })
    else listener.onVerified({ entries, customers, durationMs: Math.round(performance.now() - startedAt) })
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
  // Only `close` aborts a pause. After that, the lease is released, so that another server does not have to wait until
  // the lease expires.
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

/** Stores the result of a verification that the operator ran. */
export async function recordCheck(database: Database, isBroken: boolean): Promise<void> {
  await database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select ledger.record_check(${isBroken}::boolean)`,
  ])
}

/** The lease has expired, and another server has taken over the check. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

type SharedCheck = {
  /** True if no other server holds the lease. */
  readonly isFree: boolean
  /** Seconds since the last check ended; `null` before the first check. */
  readonly ageSeconds: number | null
  /** Result of the last check; false before the first check. */
  readonly isBroken: boolean
}

/**
 * The lease of the check. The lease is stored as a row, because a database session cannot hold a lock through a
 * connection pooler (docs/decisions/0030).
 */
export class CheckLease {
  readonly #database: Pick<Database, 'transaction'>
  readonly #server = randomUUID()
  #isHeld = false
  #renewedAt = 0

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  async read(): Promise<SharedCheck> {
    const [[row]] = await this.#database.transaction(asCaller({ role: 'service_role' }, 'read'), [
      sql<SharedCheck>`
        select c.is_free as "isFree", c.age_seconds as "ageSeconds", c.is_broken as "isBroken"
        from ledger.read_daily_check(${this.#server}) as c`,
    ])
    if (row === undefined) throw new Error('Nothing was said of the last check.')
    return row
  }

  /**
   * Acquires or renews the lease. Returns false if another server holds the lease or if the last check ended less than
   * `freshSeconds` ago.
   */
  async acquire(freshSeconds: number): Promise<boolean> {
    this.#renewedAt = performance.now()
    const [[row]] = await this.#write(
      sql<{ isOurs: boolean }>`
        select ledger.lease_daily_check(
          ${this.#server}, ${freshSeconds}::integer, ${leaseSeconds}::integer) as "isOurs"`,
    )
    this.#isHeld = row?.isOurs === true
    return this.#isHeld
  }

  /** Renews the lease when it is due. Throws `LeaseLost`. */
  async renew(): Promise<void> {
    if (performance.now() - this.#renewedAt < renewAfterMs) return
    if (!(await this.acquire(0))) throw new LeaseLost('Another server verifies the ledger now.')
  }

  /**
   * Records the result of the check, or `null` for an aborted check, and releases the lease. Does nothing if this
   * server does not hold the lease.
   */
  async release(isBroken: boolean | null): Promise<void> {
    if (!this.#isHeld) return
    this.#isHeld = false
    await this.#write(sql`select ledger.release_daily_check(${this.#server}, ${isBroken}::boolean)`)
  }

  #write<R>(statement: ReturnType<typeof sql<R>>): Promise<[R[]]> {
    return this.#database.transaction(asCaller({ role: 'service_role' }, 'write'), [statement])
  }
}
