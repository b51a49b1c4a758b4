/**
 * Watches whether the database answers, and whether its clock agrees with this server's clock. Each server signs and
 * checks tokens by its own clock, so servers whose clocks differ refuse each other's tokens (docs/decisions/0043).
 */
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { type Database, sql } from './database.ts'
import { asHealthCheck } from './scope.ts'

const intervalMs = 2000
/**
 * Number of intervals without an answer after which the database counts as unavailable. Intervals are counted instead
 * of seconds, so that a pause of this process does not look like an outage.
 */
const silentIntervalsMax = 5
/**
 * Number of consecutive failed intervals after which the database counts as unavailable. One failed interval is not
 * enough: if only one connection breaks, the pool opens another connection before the second interval.
 */
const failedIntervals = 2

export type WatchListener = {
  /**
   * Called once per outage, when the outage begins. `error` is `null` if no attempt failed with an error and the
   * attempts only hung.
   */
  readonly onAway: (error: unknown) => void
  /** Called when the database answers again, with the duration of the outage. */
  readonly onBack: (awaySeconds: number) => void
  /** Called once per outage, when the database has not answered for ten seconds. */
  readonly onLongAway: () => void
  /**
   * Called when the clocks begin to differ by more than the tokens' leeway. The offset is positive if the database's
   * clock is ahead.
   */
  readonly onClockDiffers: (offsetSeconds: number) => void
}

export class DatabaseWatch {
  readonly #database: Pick<Database, 'transaction'>
  readonly #listener: WatchListener
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | null = null
  #silentIntervals = 0
  #lastError: unknown = null
  #isAway = false
  #offsetSeconds: number | null = null
  #differs = false

  constructor(database: Pick<Database, 'transaction'>, listener: WatchListener) {
    this.#database = database
    this.#listener = listener
    this.#timer = setInterval(() => this.#tick(), intervalMs).unref()
    this.#tick()
  }

  /** True during an outage. */
  get isAway(): boolean {
    return this.#isAway
  }

  /**
   * Seconds by which the database's clock was ahead of this server's clock at the last measurement; `null` before the
   * first answer.
   */
  get offsetSeconds(): number | null {
    return this.#offsetSeconds
  }

  /** True if the clocks differ by more than the tokens' leeway. */
  get clockDiffers(): boolean {
    return this.#differs
  }

  /** Queries the database; concurrent callers share one query. Throws when the database does not answer. */
  ask(): Promise<void> {
    this.#running ??= this.#ask()
      .catch((error: unknown) => {
        this.#lastError = error
        throw error
      })
      .finally(() => (this.#running = null))
    return this.#running
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#silentIntervals += 1
    const isLong = this.#silentIntervals > silentIntervalsMax
    const hasFailed = this.#lastError !== null && this.#silentIntervals >= failedIntervals
    if (!this.#isAway && (hasFailed || isLong)) {
      this.#isAway = true
      this.#listener.onAway(this.#lastError)
    }
    if (this.#silentIntervals === silentIntervalsMax + 1) this.#listener.onLongAway()
    this.ask().catch(() => undefined)
  }

  async #ask(): Promise<void> {
    const sentAt = Date.now()
    const [[row]] = await this.#database.transaction(asHealthCheck(), [
      sql<{ ms: string }>`select (extract(epoch from clock_timestamp()) * 1000)::text as ms`,
    ])
    this.#answered()
    this.#compare(Number(row?.ms), sentAt, Date.now())
  }

  #answered(): void {
    const awaySeconds = (this.#silentIntervals * intervalMs) / 1000
    this.#silentIntervals = 0
    this.#lastError = null
    if (!this.#isAway) return
    this.#isAway = false
    this.#listener.onBack(awaySeconds)
  }

  /** Compares the clocks. The database read its clock after the query was sent and before the answer arrived. */
  #compare(databaseMs: number, sentAt: number, answeredAt: number): void {
    const offsetMs = databaseMs - (sentAt + answeredAt) / 2
    const certainMs = Math.abs(offsetMs) - (answeredAt - sentAt) / 2
    this.#offsetSeconds = Math.round(offsetMs) / 1000
    const differs = certainMs > clockSkewSeconds * 1000
    if (differs && !this.#differs) this.#listener.onClockDiffers(this.#offsetSeconds)
    this.#differs = differs
  }
}
