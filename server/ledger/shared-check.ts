/**
 * Whose turn the daily check is, among the servers of one database, and what the last one found: a row with a lease,
 * because behind a pooler no session holds a lock (docs/decisions/0030).
 */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

/** A server that says nothing for so long is dead, and another one begins anew. */
const heldSeconds = 120
const renewAfterMs = 30_000

/** Another server has taken the check over: this one was silent for too long. */
export class CheckTakenOver extends Error {
  override readonly name = 'CheckTakenOver'
}

export type SharedCheck = {
  /** Whether no other server is at one. */
  readonly isFree: boolean
  /** How long ago the last one ended, whoever did it; `null` before the first. */
  readonly ageSeconds: number | null
  /** What it found; false before the first. */
  readonly isBroken: boolean
}

/** One server's part in it. All of it throws what the database throws. */
export class CheckTurn {
  readonly #database: Pick<Database, 'transaction'>
  readonly #server = randomUUID()
  #isHeld = false
  #renewedAt = 0

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  async look(): Promise<SharedCheck> {
    const [[row]] = await this.#database.transaction(asCaller({ role: 'service_role' }, 'read'), [
      sql<SharedCheck>`
        select c.is_free as "isFree", c.age_seconds as "ageSeconds", c.is_broken as "isBroken"
        from ledger.read_daily_check(${this.#server}) as c`,
    ])
    if (row === undefined) throw new Error('Nothing was said of the last check.')
    return row
  }

  /** Takes the turn, or goes on having it; false when another server was first, or has ended one that is still fresh. */
  async take(freshSeconds: number): Promise<boolean> {
    this.#renewedAt = performance.now()
    const [[row]] = await this.#write(
      sql<{ isOurs: boolean }>`
        select ledger.lease_daily_check(
          ${this.#server}, ${freshSeconds}::integer, ${heldSeconds}::integer) as "isOurs"`,
    )
    this.#isHeld = row?.isOurs === true
    return this.#isHeld
  }

  /** Keeps the turn, while the check goes on. Throws `CheckTakenOver`. */
  async keep(): Promise<void> {
    if (performance.now() - this.#renewedAt < renewAfterMs) return
    if (!(await this.take(0))) throw new CheckTakenOver('Another server verifies the ledger now.')
  }

  /** Tells all servers what was found, or with `null` that the check was broken off. Without the turn it says nothing. */
  async end(isBroken: boolean | null): Promise<void> {
    if (!this.#isHeld) return
    this.#isHeld = false
    await this.#write(sql`select ledger.release_daily_check(${this.#server}, ${isBroken}::boolean)`)
  }

  #write<R>(statement: ReturnType<typeof sql<R>>): Promise<[R[]]> {
    return this.#database.transaction(asCaller({ role: 'service_role' }, 'write'), [statement])
  }
}
