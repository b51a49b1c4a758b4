/**
 * The interface to the database. A database transaction is a list of SQL statements, sent and answered in one round
 * trip. Interactive transactions do not exist, so no lock is held during a round trip. A decision that needs a lock is
 * a SQL function (docs/decisions/0005).
 */
import type { DatabaseRole } from '@finanzas/contract/claims.ts'

/** Types of a parameter. The caller converts any other value to one of them (JSON by `JSON.stringify`). */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null

/** One row: `int8` is a number, `numeric` and times are text, `jsonb` is parsed, `bytea` is a `Uint8Array`. */
export type Row = Record<string, unknown>

/** One SQL statement with its parameters (`$1`, `$2`, …); `R` is the type of its rows. */
export type SqlStatement<R = Row> = {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Never set; carries the type of the rows. */
  readonly row?: R
}

/** The rows of each statement, in order. */
export type RowsOf<S extends readonly SqlStatement<unknown>[]> = {
  -readonly [K in keyof S]: S[K] extends SqlStatement<infer R> ? R[] : never
}

/** Database roles for the server's own work: the authentication service and the change feed. */
export type ServiceRole = 'supabase_auth_admin' | 'supabase_realtime_admin'

/** The rights of a database transaction. */
export type Scope = {
  readonly role: DatabaseRole | ServiceRole
  /** JSON of the claims for functions such as `auth.uid()`; may be empty. */
  readonly claims: string
  /** The session that must be alive. Otherwise the database refuses the whole transaction with FZ401. */
  readonly session: ScopeSession | null
  /** Further sessions that must be alive, for a transaction that runs statements of several callers. */
  readonly others?: readonly ScopeSession[]
  /** In a `read` the database itself refuses every write. */
  readonly access: 'read' | 'write'
  /** Set if the customer's quota of postings does not apply (`AUTH_RATE_LIMITS=off`). */
  readonly isWithoutQuota?: true
  /**
   * Buckets that count the caller's refused writes. If one is full, the database refuses this write with FZ429 before
   * it runs.
   */
  readonly refusals?: readonly { readonly bucket: string; readonly capacity: number }[]
  /** True for an administrator's transaction. */
  readonly isStaff?: boolean
  /** True for a read whose plan takes well under a millisecond; it may share a connection. */
  readonly isShort?: boolean
  /** Set only for tasks that send one transaction at a time. */
  readonly bypassesAdmission?: true
}

export type ScopeSession = {
  readonly id: string
  readonly userId: string
  /**
   * Set to admit a session that has not verified the user's second factor. Without it, the database refuses the session
   * with 42501.
   */
  readonly isOneFactorEnough?: true
}

export interface Database {
  readonly engine: 'pglite' | 'postgres'

  /**
   * Runs the statements as one database transaction, in one round trip, with the rights of `scope`. Resolves when the
   * commit is durable. Throws `SqlError` when the database refuses a statement (everything is rolled back), and
   * `DatabaseUnavailable` when the database cannot be reached or does not answer.
   */
  transaction<const S extends readonly SqlStatement<unknown>[]>(
    scope: Scope,
    statements: S,
  ): Promise<RowsOf<S>>

  /** Returns the number of running batches. */
  running(): number

  /** Calls back after this process commits a write, and shortly after another server commits one. */
  onWrite(listener: () => void): void

  /** Finishes running batches and closes. */
  close(): Promise<void>
}

/** A connection as the owner of all objects, for migrations and upkeep. It never serves a request. */
export interface Owner {
  /** Runs a script of statements as one database transaction. Throws `SqlError`. */
  script(sql: string): Promise<void>
  /** Runs one statement. Throws `SqlError`. */
  query<R>(statement: SqlStatement<R>): Promise<R[]>
  close(): Promise<void>
}

/** Builds a statement from a template; every `${value}` becomes a bound parameter. */
export function sql<R = Row>(parts: TemplateStringsArray, ...values: SqlValue[]): SqlStatement<R> {
  return { text: parts.reduce((text, part, index) => `${text}$${index}${part}`), values }
}

/** A refusal by the database, with its fields (PostgreSQL's protocol, error fields). */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  /** Five characters: SQLSTATE. */
  readonly sqlState: string
  readonly detail: string | null
  readonly hint: string | null
  readonly constraint: string | null

  constructor(fields: {
    message: string
    sqlState: string
    detail?: string | undefined
    hint?: string | undefined
    constraint?: string | undefined
  }) {
    super(fields.message)
    this.sqlState = fields.sqlState
    this.detail = fields.detail ?? null
    this.hint = fields.hint ?? null
    this.constraint = fields.constraint ?? null
  }
}

/** Checks whether the database refused because the session lacks a fresh proof of the user. */
export function needsProof(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'reauthentication_needed'
}

/** SQLSTATE of a request whose session has ended, raised by `auth.require_session`. */
export const sessionEndedSqlState = 'FZ401'

export function isSessionEnded(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === sessionEndedSqlState
}

/**
 * SQLSTATE of a write that the database does not run, because it refused too many earlier writes, raised by
 * `auth.limit_refused_writes`.
 */
export const tooManyRefusalsSqlState = 'FZ429'

/** SQLSTATE of an answer longer than `answerBytesMax`, raised by `rest.require_length` or by either engine's reader. */
export const answerTooLongSqlState = 'FZ431'

export function isAnswerTooLong(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === answerTooLongSqlState
}

/** Checks whether the database refused because the session has not verified the user's second factor. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'insufficient_aal'
}

/**
 * Checks whether a refusal is retryable (503): broken connections, conflicts, lack of memory, disk or connections, a
 * restart.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof SqlError && /^(?:08|40|53|57P)/.test(error.sqlState)
}

/**
 * Checks whether neither the request nor its session caused the error (503). In addition to the retryable errors,
 * includes a cancelled statement, a disk error, a lock timeout and a standby that is not promoted yet. The table API
 * has its own codes for these errors.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || isTransient(error)) return true
  return error instanceof SqlError && /^(?:57|58|25006|55P03)/.test(error.sqlState)
}

/** The address of the connection, without the password. */
export type DatabaseAddress = { readonly user: string; readonly server: string; readonly database: string }

/** The database is unreachable, starting or overloaded. Retryable (503). */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
  /** Address of the attempted connection; `null` for a connection that was already open. */
  readonly address: DatabaseAddress | null

  constructor(
    message: string,
    { cause, address = null }: { cause?: unknown; address?: DatabaseAddress | null } = {},
  ) {
    super(message, { cause })
    this.address = address
  }
}

/** The admission queue shed the request (docs/overload.md) without sending anything to the database. */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name = 'DatabaseBusy'
}

/** The server at this address is a replica. */
export class FollowsAnother extends Error {
  override readonly name = 'FollowsAnother'
  override readonly message = 'The server at this address follows another one.'
}

/** The database did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor(ms: number) {
    super(`No answer within ${Math.round(ms)} ms`)
  }
}
