/**
 * Reads of signed-in people on replicas, as if there were only the primary (docs/decisions/0031). The primary is
 * asked first whether the session is alive and how far its log has come; the replica answers once it has come as
 * far. So nobody misses what was acknowledged before they asked, by whichever server, and a session that ended is
 * refused at once. A replica that is behind or away costs a wait that is bounded: then the primary answers.
 */
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type RowsOf,
  SqlError,
  type SqlStatement,
  sql,
} from './database.ts'
import type { Scope } from './scope.ts'

/** How long a read waits for a replica that is behind. */
const replayWaitMs = 20
/** A replica that is behind is asked again after this long, */
const restBehindMs = 100
/** and one that is away, where asking may cost seconds, after this long. */
const restAwayMs = 5000

/** The primary, relieved of reads by `replicas`. Closing it closes them all. */
export function withReplicas(primary: Database, replicas: readonly Database[]): Database {
  const turns = replicas.map((database) => ({ database, restsUntil: 0 }))
  let turn = 0
  const next = () => {
    const now = performance.now()
    for (let tried = 0; tried < turns.length; tried += 1) {
      turn = (turn + 1) % turns.length
      const replica = turns[turn]
      if (replica !== undefined && replica.restsUntil <= now) return replica
    }
    return null
  }

  return {
    engine: primary.engine,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const replica = mayBeReadElsewhere(scope) ? next() : null
      if (replica === null) return primary.transaction(scope, statements)
      const [[position]] = await primary.transaction(scope, [positionNow])
      try {
        // The session is proven; the replica may not have heard of it yet.
        const [, ...rows] = await replica.database.transaction({ ...scope, session: null }, [
          sql`select auth.require_replayed(${position?.lsn ?? '0/0'}::pg_lsn, ${replayWaitMs})`,
          ...statements,
        ])
        return rows as unknown as RowsOf<S>
      } catch (error) {
        const restMs = restAfter(error)
        if (restMs === null) throw error
        replica.restsUntil = performance.now() + restMs
        return primary.transaction(scope, statements)
      }
    },
    load: () => primary.load(),
    onWrite: (listener) => primary.onWrite(listener),
    async close() {
      await Promise.all([primary, ...replicas].map((database) => database.close()))
    },
  }
}

// What every commit that was acknowledged before is part of, also where commits do not wait for the disk.
const positionNow = sql<{ lsn: string }>`
  select case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
  end::text as lsn`

/** People's own reads only: the server's services read what they have just written, or the outbox. */
function mayBeReadElsewhere({ role, access, session }: Scope): boolean {
  return role === 'authenticated' && access === 'read' && session !== null
}

/** How long a replica is left alone after its own failure; `null` for errors that the primary would make too. */
function restAfter(error: unknown): number | null {
  if (error instanceof DatabaseBusy) return restBehindMs
  if (error instanceof DatabaseUnavailable) return restAwayMs
  // The last two: cancelled, because the replica had to apply a change that the read stood in the way of.
  const isBehind = error instanceof SqlError && ['FZ503', '40001', '40P01'].includes(error.sqlState)
  return isBehind ? restBehindMs : null
}
