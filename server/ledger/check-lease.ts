/**
 * The lease of the daily check among the servers of one database, and what the last check found: a row, because behind a
 * pooler no session holds a lock (docs/decisions/0030).
 */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

const leaseSeconds = 120
const renewAfterMs = 30_000

/** The lease has expired, and another server checks. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export type SharedCheck = {
  /** Whether no other server holds the lease. */
  readonly isFree: boolean
  /** Since the last check ended; `null` before the first. */
  readonly ageSeconds: number | null
  /** What it found; false before the first. */
  readonly isBroken: boolean
}

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

  /** Acquires or renews the lease; false when another server holds it, or has ended a check that is still fresh. */
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

  /** Throws `LeaseLost`. */
  async renew(): Promise<void> {
    if (performance.now() - this.#renewedAt < renewAfterMs) return
    if (!(await this.acquire(0))) throw new LeaseLost('Another server verifies the ledger now.')
  }

  /** Records what was found, `null` for an aborted check. Without the lease it does nothing. */
  async release(isBroken: boolean | null): Promise<void> {
    if (!this.#isHeld) return
    this.#isHeld = false
    await this.#write(sql`select ledger.release_daily_check(${this.#server}, ${isBroken}::boolean)`)
  }

  #write<R>(statement: ReturnType<typeof sql<R>>): Promise<[R[]]> {
    return this.#database.transaction(asCaller({ role: 'service_role' }, 'write'), [statement])
  }
}
