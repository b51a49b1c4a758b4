/**
 * The change feed: reads the outbox and hands on what was committed (docs/decisions/0011). Changes come in
 * the order of their database transactions, never before an older one that is still open; sessions that
 * ended do not wait for that. Woken by this process's own writes, and by a clock for those of others.
 */
import { type Database, type Row, sql } from './database.ts'
import { CoalescedTask } from './coalesced-task.ts'
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

/** A session that is over, or with `null` all sessions of the user. */
export type EndedAccess = { readonly userId: string; readonly sessionId: string | null }

export type ChangeListener = {
  /** Takes the next changes, in order; the feed waits for it. Must not reject. */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Takes sessions that ended, each once, in no order, also while `onChanges` is at work. */
  onEndedAccess(ended: readonly EndedAccess[]): void
  /** Changes may have been missed, or told of and then lost: whatever was built on them has to be read anew. */
  onChangesMissed(): void
  /** Ends of sessions may have been missed as well: everybody has to be asked who they are. */
  onGap(): void
  /** The feed failed for a reason that is a mistake of ours; it goes on trying. */
  onFailure(error: unknown): void
}

export type ChangeFeed = {
  subscribe(listener: ChangeListener): void
  /** Ends after the changes that are being handed on. */
  close(): Promise<void>
}

/** Writes that this process does not know of are noticed within this time. */
const pollIntervalMs = 500
const batchRowsMax = 500
/** So many at once are a gap: whoever is connected is asked for their session when they come back. */
const endedAccessMax = 10_000
const keptMs = 10 * 60_000
const sweepIntervalMs = 60_000
/** Of before everything. */
const emptySnapshot = '1:1:'
/** After an absence this long rows may have been swept away unread, by another server. */
const absenceMaxMs = keptMs - sweepIntervalMs

/** Starts a feed at the present end of the outbox. While the database is away the feed stands still. */
export function openChangeFeed(database: Database): ChangeFeed {
  return new OutboxFeed(database)
}

/** A place in the outbox. Numbers of database transactions can be compared within one lifetime of the database only. */
type Cursor = { readonly xid: string; readonly seq: number; readonly lifetime: string }

class OutboxFeed implements ChangeFeed {
  readonly #database: Database
  readonly #listeners: ChangeListener[] = []
  readonly #tasks: readonly CoalescedTask[]
  readonly #poll: NodeJS.Timeout
  readonly #sweep: NodeJS.Timeout
  #cursor: Cursor | null = null
  #readAt = 0
  /** The snapshot of the last reading of ended access: what it saw has been handed on. */
  #snapshot: string | null = null
  #snapshotAt = 0
  /** Between two crashes of the database numbers of database transactions, and so snapshots, can be compared. */
  #lifetime: string | null = null
  /** Every change of a database transaction before this one has been read. */
  #readBelow = '0'
  #marks: readonly { readonly xid: string; readonly at: number }[] = []
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
    const onFailure = (error: unknown) => {
      for (const listener of this.#listeners) listener.onFailure(error)
    }
    const changes = new CoalescedTask(() => this.#drain(), onFailure)
    const endedAccess = new CoalescedTask(() => this.#readEndedAccess(), onFailure)
    const sweeping = new CoalescedTask(() => this.#sweepOld(), onFailure)
    this.#tasks = [changes, endedAccess, sweeping]
    const wake = () => {
      endedAccess.run()
      changes.run()
    }
    database.onWrite(wake)
    this.#poll = setInterval(wake, pollIntervalMs).unref()
    this.#sweep = setInterval(() => sweeping.run(), sweepIntervalMs).unref()
    wake()
  }

  subscribe(listener: ChangeListener): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearInterval(this.#sweep)
    await Promise.all(this.#tasks.map((task) => task.close()))
  }

  async #drain(): Promise<void> {
    let cursor = await this.#position()
    while (!this.#isClosed) {
      const { rows, horizon, lifetime } = await this.#read(cursor)
      if (lifetime !== cursor.lifetime) {
        // What was read may be lost, and its numbers given out anew: who goes on from there misses what has them now.
        cursor = await this.#presentEnd()
        this.#cursor = cursor
        this.#readBelow = '0'
        this.#marks = []
        for (const listener of this.#listeners) listener.onChangesMissed()
        continue
      }
      const last = rows.at(-1)
      if (last !== undefined) cursor = { xid: last.xid, seq: last.seq, lifetime }
      this.#cursor = cursor
      if (rows.length > 0) {
        const changes = rows.map(changeOf)
        await Promise.all(this.#listeners.map((listener) => listener.onChanges(changes)))
      }
      if (rows.length < batchRowsMax) {
        this.#readBelow = horizon
        return
      }
    }
  }

  /** Where reading goes on: the present end at first, and after an absence that was too long. */
  async #position(): Promise<Cursor> {
    if (this.#cursor !== null && !this.#isTooLate) return this.#cursor
    const { snapshot, ...end } = await this.#presentEnd()
    this.#cursor = end
    this.#snapshot = snapshot
    this.#readAt = Date.now()
    this.#snapshotAt = Date.now()
    this.#tellOfGap()
    return this.#cursor
  }

  async #presentEnd(): Promise<Cursor & { snapshot: string }> {
    const [[end]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ xid: string; snapshot: string; lifetime: string | null }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as xid, pg_current_snapshot()::text as snapshot,
               (select id from realtime.lifetimes) as lifetime`,
    ])
    if (end === undefined) throw new Error('The database did not say where its end is.')
    const { xid, snapshot, lifetime } = end
    if (lifetime !== null) return { xid, seq: 0, lifetime, snapshot }
    await this.#beginLifetime()
    return this.#presentEnd()
  }

  get #isTooLate(): boolean {
    return Date.now() - Math.min(this.#readAt, this.#snapshotAt) >= absenceMaxMs
  }

  /** The next changes, and a database transaction before which there are no more if these are all. */
  async #read(after: Cursor): Promise<{ rows: OutboxRow[]; horizon: string; lifetime: string | null }> {
    const [[now], rows] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      // First: what is finished before it, the second statement sees.
      sql<{ horizon: string; lifetime: string | null }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
               (select id from realtime.lifetimes) as lifetime`,
      sql<OutboxRow>`
          select xid::text as xid, seq, schema_name, table_name, operation, record, old_record,
                 to_char(outbox.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from realtime.outbox
          where (xid, seq) > (${after.xid}::xid8, ${after.seq}::bigint)
            and xid < pg_snapshot_xmin(pg_current_snapshot())
            and schema_name <> 'realtime'
          order by outbox.xid, seq
          limit ${batchRowsMax}::integer`,
    ])
    this.#readAt = Date.now()
    return { rows, horizon: now?.horizon ?? '0', lifetime: now?.lifetime ?? null }
  }

  /**
   * Hands on what has been committed since the last reading, whatever else is still open: a row is new if
   * the snapshot of that reading did not see it. That tells of each once without remembering any.
   */
  async #readEndedAccess(): Promise<void> {
    const last = this.#snapshot
    if (last === null || this.#isTooLate) return
    const [[answer]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ snapshot: string; ended: EndedAccess[]; lifetime: string | null }>`
        select pg_current_snapshot()::text as snapshot, (select id from realtime.lifetimes) as lifetime, (
          select coalesce(jsonb_agg(record), '[]') from (
            select jsonb_build_object(
              'userId', record -> 'user_id', 'sessionId', record -> 'session_id'
            ) as record
            from realtime.outbox
            where xid >= pg_snapshot_xmin(${last}::pg_snapshot)
              and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
              and schema_name = 'realtime' and table_name = 'ended_access'
            limit ${endedAccessMax}::integer
          ) as news
        ) as ended`,
    ])
    // A new start meanwhile: its gap has told of everything.
    if (answer === undefined || this.#snapshot !== last) return
    if (await this.#isNewLifetime(answer.lifetime)) {
      // Told a second time, the end of a session harms nobody; not told, somebody goes on listening.
      this.#snapshot = emptySnapshot
      return this.#readEndedAccess()
    }
    this.#snapshot = answer.snapshot
    this.#snapshotAt = Date.now()
    const { ended } = answer
    if (ended.length === endedAccessMax) this.#tellOfGap()
    else if (ended.length > 0) for (const listener of this.#listeners) listener.onEndedAccess(ended)
  }

  /** Whether the database has crashed since the last look: sessions that ended afterwards may look like old ones. */
  async #isNewLifetime(lifetime: string | null): Promise<boolean> {
    if (lifetime === null) {
      // The next look finds this one, or another server's.
      await this.#beginLifetime()
      return true
    }
    const last = this.#lifetime
    this.#lifetime = lifetime
    return last !== null && last !== lifetime
  }

  async #beginLifetime(): Promise<void> {
    await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
      sql`insert into realtime.lifetimes default values on conflict do nothing`,
    ])
  }

  /**
   * Deletes what was read ten minutes ago or more. Not what was written then: while an old database
   * transaction is open nobody can read, and other servers need their time after it too.
   */
  async #sweepOld(): Promise<void> {
    const now = Date.now()
    this.#marks = [...this.#marks, { xid: this.#readBelow, at: now }]
    const due = this.#marks.findLast(({ at }) => at <= now - keptMs)
    if (due === undefined) return
    this.#marks = this.#marks.slice(this.#marks.indexOf(due))
    // Looking first: an idle server has nothing to write.
    const [[found]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ hasOld: boolean }>`
        select exists (select from realtime.outbox where xid < ${due.xid}::xid8) as "hasOld"`,
    ])
    if (found?.hasOld !== true) return
    await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
      sql`delete from realtime.outbox where xid < ${due.xid}::xid8`,
    ])
  }

  #tellOfGap(): void {
    for (const listener of this.#listeners) listener.onGap()
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
