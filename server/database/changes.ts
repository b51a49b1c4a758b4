/**
 * The change feed: reads the outbox in the order of its database transactions and hands the changes on,
 * after they are committed and never before an older one that is still open (docs/decisions/0011).
 * Woken by this process's own writes at once, and by a clock for those of `psql` and other servers.
 */
import { type Database, DatabaseUnavailable, type Row, SqlError, sql } from './database.ts'
import { asService } from './scope.ts'

/** One committed change of one row. */
export type Change = {
  readonly schema: string
  readonly table: string
  readonly operation: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The new row, for INSERT and UPDATE. */
  readonly record: Row | null
  /** The old row, for UPDATE and DELETE. */
  readonly oldRecord: Row | null
  /** When the row was written: ISO 8601 in UTC with milliseconds. */
  readonly at: string
}

export type ChangeListener = {
  /** Takes the next changes, in order; the feed waits for it. Must not reject. */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Changes may have been missed: whatever was built on the feed has to be read anew. */
  onGap(): void
}

export type ChangeFeed = {
  subscribe(listener: ChangeListener): void
  /** Ends after the changes that are being handed on. */
  close(): Promise<void>
}

/** Writes that this process does not know of are noticed within this time. */
const pollIntervalMs = 500
const batchRowsMax = 500
const keptMs = 10 * 60_000
const sweepIntervalMs = 60_000
/** After an absence this long rows may have been swept away unread. */
const absenceMaxMs = keptMs - sweepIntervalMs

/** Starts a feed at the present end of the outbox. While the database is away the feed stands still. */
export function openChangeFeed(database: Database): ChangeFeed {
  return new OutboxFeed(database)
}

type Cursor = { readonly xid: string; readonly seq: number }

class OutboxFeed implements ChangeFeed {
  readonly #database: Database
  readonly #listeners: ChangeListener[] = []
  readonly #poll: NodeJS.Timeout
  readonly #sweep: NodeJS.Timeout
  #cursor: Cursor | null = null
  #readAt = 0
  #draining: Promise<void> | null = null
  #isWoken = false
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
    database.onWrite(() => this.#wake())
    this.#poll = setInterval(() => this.#wake(), pollIntervalMs).unref()
    this.#sweep = setInterval(() => void whileReachable(() => this.#sweepOld()), sweepIntervalMs).unref()
    this.#wake()
  }

  subscribe(listener: ChangeListener): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearInterval(this.#sweep)
    await this.#draining
  }

  /** One drain at a time; whoever comes meanwhile makes it look once more. */
  #wake(): void {
    if (this.#isClosed) return
    this.#isWoken = true
    this.#draining ??= whileReachable(() => this.#drain()).finally(() => {
      this.#draining = null
      if (this.#isWoken) this.#wake()
    })
  }

  async #drain(): Promise<void> {
    this.#isWoken = false
    let cursor = await this.#position()
    while (!this.#isClosed) {
      const rows = await this.#read(cursor)
      cursor = rows.at(-1) ?? cursor
      this.#cursor = cursor
      if (rows.length > 0) {
        const changes = rows.map(changeOf)
        await Promise.all(this.#listeners.map((listener) => listener.onChanges(changes)))
      }
      if (rows.length < batchRowsMax) return
    }
  }

  /** Where reading goes on: the present end at first, and after an absence that was too long. */
  async #position(): Promise<Cursor> {
    if (this.#cursor !== null && Date.now() - this.#readAt < absenceMaxMs) return this.#cursor
    const [[end]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`,
    ])
    this.#cursor = { xid: end?.xid ?? '0', seq: 0 }
    this.#readAt = Date.now()
    for (const listener of this.#listeners) listener.onGap()
    return this.#cursor
  }

  async #read(after: Cursor): Promise<OutboxRow[]> {
    const [rows] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<OutboxRow>`
        select xid::text as xid, seq, schema_name, table_name, operation, record, old_record,
               to_char(outbox.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from realtime.outbox
        where (xid, seq) > (${after.xid}::xid8, ${after.seq}::bigint)
          and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by outbox.xid, seq
        limit ${batchRowsMax}::integer`,
    ])
    this.#readAt = Date.now()
    return rows
  }

  async #sweepOld(): Promise<void> {
    const keptSeconds = keptMs / 1000
    // Looking first: an idle server has nothing to write.
    const [[oldest]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ isOld: boolean }>`
        select at < now() - ${keptSeconds}::integer * interval '1 second' as "isOld"
        from realtime.outbox order by seq limit 1`,
    ])
    if (oldest?.isOld !== true) return
    await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
      sql`delete from realtime.outbox where at < now() - ${keptSeconds}::integer * interval '1 second'`,
    ])
  }
}

type OutboxRow = {
  xid: string
  seq: number
  schema_name: string
  table_name: string
  operation: Change['operation']
  record: Row | null
  old_record: Row | null
  at: string
}

function changeOf(row: OutboxRow): Change {
  return {
    schema: row.schema_name,
    table: row.table_name,
    operation: row.operation,
    record: row.record,
    oldRecord: row.old_record,
    at: row.at,
  }
}

/** Runs the work; a database that is away or refuses is asked again by the clock. */
async function whileReachable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) && !(error instanceof SqlError)) throw error
  }
}
