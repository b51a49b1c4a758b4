/**
 * Reads of signed-in people on replicas, as if there were only the primary (docs/decisions/0031). The primary is
 * asked first whether the session is alive and how far its log has come; the replica answers once it has come as
 * far. So nobody misses what was acknowledged before they asked, by whichever server, and a session that ended is
 * refused at once. A replica that is behind, late or away costs a wait that is bounded, a second at most (`openReplica`):
 * then the primary answers. Left alone for a while, it is tried by one read; the others stay at the primary until that one is answered.
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
/** and one that is away or late, where asking costs a second, after this long. */
const restAwayMs = 5000

/** A replica, and whether it is to be asked. */
type Turn = {
  readonly database: Database
  restsUntil: number
  /** It failed last: after its rest one read finds out whether it is well. */
  isDoubted: boolean
  isProbed: boolean
}

/** The primary, relieved of reads by `replicas`. Closing it closes them all. */
export function withReplicas(primary: Database, replicas: readonly Database[]): Database {
  const turns = replicas.map((database): Turn => ({
    database,
    restsUntil: 0,
    isDoubted: false,
    isProbed: false,
  }))
  let turn = 0
  const next = () => {
    const now = performance.now()
    for (let tried = 0; tried < turns.length; tried += 1) {
      turn = (turn + 1) % turns.length
      const replica = turns[turn]
      if (replica !== undefined && replica.restsUntil <= now && !replica.isProbed) return replica
    }
    return null
  }

  /** The rows; `null` where the primary has to answer. */
  async function readOn<const S extends readonly SqlStatement<unknown>[]>(
    replica: Turn,
    scope: Scope,
    statements: S,
  ): Promise<RowsOf<S> | null> {
    const [[position]] = await primary.transaction(scope, [positionNow])
    try {
      // The session is proven; the replica may not have heard of it yet.
      const [, ...rows] = await replica.database.transaction({ ...scope, session: null }, [
        sql`select auth.require_replayed(${position?.lsn ?? '0/0'}::pg_lsn, ${replayWaitMs})`,
        ...statements,
      ])
      return rows
    } catch (error) {
      const restMs = restAfter(error)
      if (restMs === null) throw error
      replica.isDoubted = true
      replica.restsUntil = performance.now() + restMs
      return null
    }
  }

  return {
    engine: primary.engine,
    async transaction<const S extends readonly SqlStatement<unknown>[]>(scope: Scope, statements: S) {
      const replica = mayBeReadElsewhere(scope) ? next() : null
      if (replica === null) return primary.transaction(scope, statements)
      const rows = replica.isDoubted
        ? await probe(replica, () => readOn(replica, scope, statements))
        : await readOn(replica, scope, statements)
      return rows ?? primary.transaction(scope, statements)
    },
    load: () => primary.load(),
    onWrite: (listener) => primary.onWrite(listener),
    async close() {
      await Promise.all([primary, ...replicas].map((database) => database.close()))
    },
  }
}

/** Lets one read find out whether a replica is well again; nobody else asks it meanwhile. */
async function probe<T>(replica: Turn, read: () => Promise<T | null>): Promise<T | null> {
  replica.isProbed = true
  try {
    const rows = await read()
    if (rows !== null) replica.isDoubted = false
    return rows
  } finally {
    replica.isProbed = false
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
  if (!(error instanceof SqlError)) return null
  // Out of its time, which is shorter than the primary's.
  if (error.sqlState === '57014') return restAwayMs
  // The last two: cancelled, because the replica had to apply a change that the read stood in the way of.
  return ['FZ503', '40001', '40P01'].includes(error.sqlState) ? restBehindMs : null
}
