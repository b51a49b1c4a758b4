/**
 * Refusals that go to the audit (docs/decisions/0017). The error rolls everything back, so what it refused
 * is recorded afterwards, in a database transaction of its own and in the name of whoever was refused.
 * The database says which: it names them in the error's constraint field, `refused:<action>:<target>`.
 */
import { type Database, SqlError, type SqlStatement, sql } from './database.ts'
import type { Scope } from './scope.ts'

/** What somebody tried and was refused. */
export type Refused = {
  /** Lower-case words with underscores. */
  readonly action: string
  /** The user concerned, or `null` where the attempt named none. */
  readonly target: string | null
  /** The sentence that they were told. */
  readonly reason: string
}

/** The statement that records it; runs with the rights of whoever was refused. */
export function recordRefusal({ action, target, reason }: Refused): SqlStatement {
  return sql`select private.record_refusal(${action}, ${target}, ${reason})`
}

/** The statement that lets the audit's entries of its database transaction name the request. */
export function auditedAs(requestId: string): SqlStatement {
  return sql`select set_config('audit.request_id', ${requestId}, true)`
}

/** The same database, which records what it is told to. A record that cannot be written is told to `onLost`. */
export function recordingRefusals(database: Database, onLost: (error: unknown) => void): Database {
  return {
    ...database,
    async transaction(scope: Scope, statements) {
      try {
        return await database.transaction(scope, statements)
      } catch (error) {
        const refused = refusedBy(error)
        if (refused !== null) {
          const own: Scope = { ...scope, access: 'write' }
          await database.transaction(own, [recordRefusal(refused)]).catch(onLost)
        }
        throw error
      }
    },
  }
}

function refusedBy(error: unknown): Refused | null {
  if (!(error instanceof SqlError)) return null
  const [mark, action, target] = error.constraint?.split(':') ?? []
  if (mark !== 'refused' || action === undefined) return null
  return { action, target: target ?? null, reason: error.message }
}
