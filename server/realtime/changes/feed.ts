/**
 * The change feed: reads the outbox and reports committed changes (docs/decisions/0011). Changes are reported in the
 * order of their database transactions. While an older transaction is still open, later changes wait for it. Revoked
 * sessions are reported without this wait. A write by this process wakes the feed at once; a timer finds the writes of
 * other processes.
 */
import { type Database, type Row, sql } from '#database/database.ts'
import { CoalescedTask } from '#database/coalesced-task.ts'
import { asService } from '#database/scope.ts'

/** A committed change to one row. */
export type Change = {
  readonly schema: string
  readonly table: string
  readonly operation: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The new row, for INSERT and UPDATE. */
  readonly record: Row | null
  /** The old row, for UPDATE and DELETE. */
  readonly oldRecord: Row | null
  /** The time at which the row was written, in ISO 8601 format, in UTC and with milliseconds. */
  readonly at: string
}

/** A revoked session. */
export type RevokedSession = { readonly userId: string; readonly sessionId: string }

export type ChangeListener = {
  /**
   * Receives the next changes, in order. The feed waits until the returned promise resolves. The promise must not
   * reject.
   */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Receives each revoked session once, in no particular order, even while `onChanges` is running. */
  onRevocations(revoked: readonly RevokedSession[]): void
  /**
   * Called when changes may have been missed, or when reported changes may have been lost in a crash. Any state that
   * was built from changes must be read again.
   */
  onChangesMissed(): void
  /** Called when revocations may have been missed. All sessions must be checked again. */
  onGap(): void
  /** Called when the feed fails because of a bug. The feed continues. */
  onFailure(error: unknown): void
}

/** The longest time until the feed notices a write by another process. */
const pollIntervalMs = 500
const batchRowsMax = 500
/**
 * If at least this many revocations are read at once, the feed reports a gap instead, and listeners check all sessions.
 */
const revocationsMax = 10_000
const retentionMs = 10 * 60_000
const purgeIntervalMs = 60_000
/** Maximum number of rows that one database transaction purges, so that it delays no request for long. */
const purgedAtOnceMax = 1000
/** A snapshot, as text, in which no database transaction is visible. */
const emptySnapshot = '1:1:'
/** After an outage of this length, another server may have purged rows that this feed has not read. */
const absenceMaxMs = retentionMs - purgeIntervalMs

/**
 * A position in the outbox. Transaction ids can be compared only within one epoch. A crash or a failover of the
 * database ends the epoch.
 */
type Cursor = { readonly xid: string; readonly seq: number; readonly epoch: string }

export class ChangeFeed {
  readonly #database: Database
  readonly #listeners: ChangeListener[] = []
  readonly #tasks: readonly CoalescedTask[]
  readonly #poll: NodeJS.Timeout
  readonly #purge: NodeJS.Timeout
  #cursor: Cursor | null = null
  #readAt = 0
  /**
   * The snapshot in which revocations were last read. All revocations that are visible in this snapshot have been
   * reported.
   */
  #snapshot: string | null = null
  #snapshotAt = 0
  #epoch: string | null = null
  /** All changes by database transactions with lower ids have been read. */
  #readBelow = '0'
  #marks: readonly { readonly xid: string; readonly at: number }[] = []
  #isClosed = false

  /** Starts to read at the current end of the outbox. During a database outage, the feed pauses. */
  constructor(database: Database) {
    this.#database = database
    const onFailure = (error: unknown) => {
      for (const listener of this.#listeners) listener.onFailure(error)
    }
    const changes = new CoalescedTask(() => this.#drain(), onFailure)
    const revocations = new CoalescedTask(() => this.#readRevocations(), onFailure)
    const purging = new CoalescedTask(() => this.#purgeOld(), onFailure)
    this.#tasks = [changes, revocations, purging]
    const wake = () => {
      revocations.run()
      changes.run()
    }
    database.onWrite(wake)
    this.#poll = setInterval(wake, pollIntervalMs).unref()
    this.#purge = setInterval(() => purging.run(), purgeIntervalMs).unref()
    wake()
  }

  subscribe(listener: ChangeListener): void {
    this.#listeners.push(listener)
  }

  /** Closes the feed. The promise resolves when the current delivery has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearInterval(this.#purge)
    await Promise.all(this.#tasks.map((task) => task.close()))
  }

  async #drain(): Promise<void> {
    let cursor = await this.#position()
    while (!this.#isClosed) {
      const { rows, horizon, epoch } = await this.#read(cursor)
      if (epoch !== cursor.epoch) {
        // The database may have lost the rows that were read last, and it may reuse their ids. If the feed continued to
        // read after these ids, it would skip new rows.
        cursor = await this.#presentEnd()
        this.#cursor = cursor
        this.#readBelow = '0'
        this.#marks = []
        for (const listener of this.#listeners) listener.onChangesMissed()
        continue
      }
      const last = rows.at(-1)
      if (last !== undefined) cursor = { xid: last.xid, seq: last.seq, epoch }
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

  /**
   * Returns the position from which to continue reading. At the start and after a long outage, this position is the
   * current end of the outbox.
   */
  async #position(): Promise<Cursor> {
    if (this.#cursor !== null && !this.#isOutdated) return this.#cursor
    const { snapshot, ...end } = await this.#presentEnd()
    this.#cursor = end
    this.#snapshot = snapshot
    this.#readAt = Date.now()
    this.#snapshotAt = Date.now()
    this.#notifyGap()
    return this.#cursor
  }

  async #presentEnd(): Promise<Cursor & { snapshot: string }> {
    const [[end]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ xid: string; snapshot: string; epoch: string | null }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as xid, pg_current_snapshot()::text as snapshot,
               (select id from realtime.epochs) as epoch`,
    ])
    if (end === undefined) throw new Error('The database did not say where its end is.')
    const { xid, snapshot, epoch } = end
    if (epoch !== null) return { xid, seq: 0, epoch, snapshot }
    await this.#beginEpoch()
    return this.#presentEnd()
  }

  get #isOutdated(): boolean {
    return Date.now() - Math.min(this.#readAt, this.#snapshotAt) >= absenceMaxMs
  }

  /**
   * Returns the next changes, the epoch, and the horizon: the id of the oldest open transaction. If the batch is not
   * full, all changes by transactions below the horizon have been read.
   */
  async #read(after: Cursor): Promise<{ rows: OutboxRow[]; horizon: string; epoch: string | null }> {
    const [[now], rows] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      // Runs first, so that the second statement sees all transactions below this horizon.
      sql<{ horizon: string; epoch: string | null }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
               (select id from realtime.epochs) as epoch`,
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
    return { rows, horizon: now?.horizon ?? '0', epoch: now?.epoch ?? null }
  }

  /**
   * Reports the revocations that were committed since the last read, even while older transactions are open. A row is
   * new if it was not visible in the snapshot of the last read. The feed therefore reports each row once without
   * storing its id.
   */
  async #readRevocations(): Promise<void> {
    const last = this.#snapshot
    if (last === null || this.#isOutdated) return
    const [[answer]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ snapshot: string; revoked: RevokedSession[]; epoch: string | null }>`
        select pg_current_snapshot()::text as snapshot, (select id from realtime.epochs) as epoch, (
          select coalesce(jsonb_agg(record), '[]') from (
            select jsonb_build_object(
              'userId', record -> 'user_id', 'sessionId', record -> 'session_id'
            ) as record
            from realtime.outbox
            where xid >= pg_snapshot_xmin(${last}::pg_snapshot)
              and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
              and schema_name = 'realtime' and table_name = 'revocations'
            limit ${revocationsMax}::integer
          ) as news
        ) as revoked`,
    ])
    // During the read, the feed moved to the current end of the outbox and reported a gap. The result of the read is
    // therefore dropped.
    if (answer === undefined || this.#snapshot !== last) return
    if (await this.#isNewEpoch(answer.epoch)) {
      // Reads all revocations again. Reporting a revocation twice is harmless, but missing one is not.
      this.#snapshot = emptySnapshot
      return this.#readRevocations()
    }
    this.#snapshot = answer.snapshot
    this.#snapshotAt = Date.now()
    const { revoked } = answer
    if (revoked.length === revocationsMax) this.#notifyGap()
    else if (revoked.length > 0) for (const listener of this.#listeners) listener.onRevocations(revoked)
  }

  /**
   * Returns whether the database has crashed since the last read. After a crash, new revocations may look as if they
   * had been read already.
   */
  async #isNewEpoch(epoch: string | null): Promise<boolean> {
    if (epoch === null) {
      // The next read finds the epoch that this server now begins, or an epoch that another server has begun at the
      // same time.
      await this.#beginEpoch()
      return true
    }
    const last = this.#epoch
    this.#epoch = epoch
    return last !== null && last !== epoch
  }

  async #beginEpoch(): Promise<void> {
    await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
      sql`insert into realtime.epochs default values on conflict do nothing`,
    ])
  }

  /**
   * Deletes rows that this server read at least ten minutes ago. A row's age counts from the time of the read, not of
   * the write. An open transaction may delay the read, and other servers then still need time to read the row.
   */
  async #purgeOld(): Promise<void> {
    const now = Date.now()
    this.#marks = [...this.#marks, { xid: this.#readBelow, at: now }]
    const due = this.#marks.findLast(({ at }) => at <= now - retentionMs)
    if (due === undefined) return
    this.#marks = this.#marks.slice(this.#marks.indexOf(due))
    // Checks first whether old rows exist, because an idle server should not write.
    while (!this.#isClosed && (await this.#hasRowsBelow(due.xid))) {
      await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
        sql`
          delete from realtime.outbox where ctid = any (array(
            select due.ctid from realtime.outbox due where due.xid < ${due.xid}::xid8
            order by due.xid, due.seq limit ${purgedAtOnceMax}::integer
          ))`,
      ])
    }
  }

  async #hasRowsBelow(xid: string): Promise<boolean> {
    const [[found]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ hasOld: boolean }>`
        select exists (select from realtime.outbox where xid < ${xid}::xid8) as "hasOld"`,
    ])
    return found?.hasOld === true
  }

  #notifyGap(): void {
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
