/**
 * Whether the database answers, and whether its clock and this server's agree. Tokens are signed and read by servers'
 * clocks: one that is off refuses what the others sign, and they what it signs (docs/decisions/0043).
 */
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { type Database, sql } from './database.ts'
import { asHealthCheck } from './scope.ts'

const intervalMs = 2000
/** Intervals, not time: a process that itself stood still has missed nothing. */
const silentIntervalsMax = 5

export type WatchListener = {
  /** The database has not answered for ten seconds; once for each outage. */
  readonly onLongAway: () => void
  /** The clocks have begun to differ by more than tokens allow; positive where the database is ahead. */
  readonly onClockDiffers: (offsetSeconds: number) => void
}

export class DatabaseWatch {
  readonly #database: Pick<Database, 'transaction'>
  readonly #listener: WatchListener
  readonly #clock: () => number
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | null = null
  #silentIntervals = 0
  #offsetSeconds: number | null = null
  #differs = false

  constructor(
    database: Pick<Database, 'transaction'>,
    listener: WatchListener,
    clock: () => number = () => Date.now(),
  ) {
    this.#database = database
    this.#listener = listener
    this.#clock = clock
    this.#timer = setInterval(() => this.#tick(), intervalMs).unref()
    this.#tick()
  }

  /** By how many seconds the database is ahead of this server, as last measured; `null` before the first answer. */
  get offsetSeconds(): number | null {
    return this.#offsetSeconds
  }

  /** Whether the clocks are further apart than tokens allow. */
  get clockDiffers(): boolean {
    return this.#differs
  }

  /** One query for concurrent callers. Throws when the database does not answer. */
  ask(): Promise<void> {
    this.#running ??= this.#ask().finally(() => (this.#running = null))
    return this.#running
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#silentIntervals += 1
    if (this.#silentIntervals === silentIntervalsMax + 1) this.#listener.onLongAway()
    this.ask().catch(() => undefined)
  }

  async #ask(): Promise<void> {
    const sentAt = this.#clock()
    const [[row]] = await this.#database.transaction(asHealthCheck(), [
      sql<{ ms: string }>`select (extract(epoch from clock_timestamp()) * 1000)::text as ms`,
    ])
    this.#silentIntervals = 0
    this.#compare(Number(row?.ms), sentAt, this.#clock())
  }

  /** The database read its clock at some time between asking and being answered. */
  #compare(databaseMs: number, sentAt: number, answeredAt: number): void {
    const offsetMs = databaseMs - (sentAt + answeredAt) / 2
    const certainMs = Math.abs(offsetMs) - (answeredAt - sentAt) / 2
    this.#offsetSeconds = Math.round(offsetMs) / 1000
    const differs = certainMs > clockSkewSeconds * 1000
    if (differs && !this.#differs) this.#listener.onClockDiffers(this.#offsetSeconds)
    this.#differs = differs
  }
}
