/**
 * The change feed: reads the outbox and reports committed changes (docs/decisions/0011). Changes are reported in the
 * order of their database transactions. The feed waits while an older transaction is still open. Revoked sessions are
 * reported without waiting for older transactions. This process's own writes wake the feed; a timer finds the writes of
 * other processes.
 */
import { type Database, type Row, sql } from '#database/database.ts'
import { CoalescedTask } from '#database/coalesced-task.ts'
import { asService } from '#database/scope.ts'

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

/** A revoked session; `sessionId` is `null` for all sessions of the user. */
export type RevokedSession = { readonly userId: string; readonly sessionId: string | null }

export type ChangeListener = {
  /** Takes the next changes, in order. The feed waits until the promise resolves. Must not reject. */
  onChanges(changes: readonly Change[]): Promise<void>
  /** Takes revoked sessions, each once, in no particular order, even while `onChanges` is running. */
  onRevocations(revoked: readonly RevokedSession[]): void
  /**
   * Called when changes may be missing or were reported and then lost. State that is built on changes must be read
   * again.
   */
  onChangesMissed(): void
  /** Called when revocations may be missing. Every session must be checked again. */
  onGap(): void
  /** Called when the feed fails because of a bug. The feed continues. */
  onFailure(error: unknown): void
}

/** The maximum delay until writes of other processes are noticed. */
const pollIntervalMs = 500
const batchRowsMax = 500
/** If at least this many revocations arrive at once, listeners check all sessions. */
const revocationsMax = 10_000
const retentionMs = 10 * 60_000
const purgeIntervalMs = 60_000
/** The text of a snapshot that is older than every database transaction. */
const emptySnapshot = '1:1:'
/** After an outage of this length, another server may have purged rows that this feed has not read. */
const absenceMaxMs = retentionMs - purgeIntervalMs

/**
 * A position in the outbox. Transaction ids are comparable only within one epoch. A crash of the database ends the
 * epoch.
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
  /** Snapshot of the last read of revocations; all revocations in it have been reported. */
  #snapshot: string | null = null
  #snapshotAt = 0
  #epoch: string | null = null
  /** All changes of database transactions below this id have been read. */
  #readBelow = '0'
  #marks: readonly { readonly xid: string; readonly at: number }[] = []
  #isClosed = false

  /** Starts at the current end of the outbox. The feed pauses during an outage of the database. */
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

  /** Closes the feed. Resolves when the current delivery has ended. */
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
        // The database may have lost the rows that were read last and may reuse their ids. Reading on from these ids
        // would skip rows.
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

  /** Returns the position from which reading continues. At the start and after a long outage it is the current end. */
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
   * Returns the next changes and the horizon. If the batch is not full, all changes below the horizon have been read.
   */
  async #read(after: Cursor): Promise<{ rows: OutboxRow[]; horizon: string; epoch: string | null }> {
    const [[now], rows] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      // Runs first, so that the second statement sees every transaction that finished before the first one.
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
   * Reports the revocations committed since the last read, even while older transactions are open. A row is new if it
   * was invisible in the last read's snapshot, so the feed reports each row once without storing its id.
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
    // The feed has moved to the current end during the read, and has reported the gap.
    if (answer === undefined || this.#snapshot !== last) return
    if (await this.#isNewEpoch(answer.epoch)) {
      // A revocation may be reported twice, but must not be missed.
      this.#snapshot = emptySnapshot
      return this.#readRevocations()
    }
    this.#snapshot = answer.snapshot
    this.#snapshotAt = Date.now()
    const { revoked } = answer
    if (revoked.length === revocationsMax) this.#notifyGap()
    else if (revoked.length > 0) for (const listener of this.#listeners) listener.onRevocations(revoked)
  }

  /** Returns whether the database has crashed since the last read; later revocations may then look like old ones. */
  async #isNewEpoch(epoch: string | null): Promise<boolean> {
    if (epoch === null) {
      // The next read finds this epoch, or an epoch that another server has begun.
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
   * Deletes rows that were read at least ten minutes ago. The age of a row counts from this read and not from the
   * write, because an open transaction delays reading. Other servers need time to read the row after this one.
   */
  async #purgeOld(): Promise<void> {
    const now = Date.now()
    this.#marks = [...this.#marks, { xid: this.#readBelow, at: now }]
    const due = this.#marks.findLast(({ at }) => at <= now - retentionMs)
    if (due === undefined) return
    this.#marks = this.#marks.slice(this.#marks.indexOf(due))
    // Checks first, because an idle server should not write.
    const [[found]] = await this.#database.transaction(asService('supabase_realtime_admin', 'read'), [
      sql<{ hasOld: boolean }>`
        select exists (select from realtime.outbox where xid < ${due.xid}::xid8) as "hasOld"`,
    ])
    if (found?.hasOld !== true) return
    await this.#database.transaction(asService('supabase_realtime_admin', 'write'), [
      sql`delete from realtime.outbox where xid < ${due.xid}::xid8`,
    ])
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
