/**
 * The interface to the database. A database transaction is a list of SQL statements that is sent and answered in one
 * round trip. Interactive transactions are not supported, because they would hold locks while the database waits for
 * the server. Code that must decide under a lock is therefore a SQL function (docs/decisions/0005).
 */
import type { DatabaseRole } from '@finanzas/contract/people/claims.ts'

/**
 * The types of a statement's parameters. The caller converts any other value to one of these types, and an object with
 * `JSON.stringify`.
 */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null

/**
 * One row. An `int8` is read as a number, `numeric` and times as text, `jsonb` as the parsed value, and `bytea` as a
 * `Uint8Array`.
 */
export type Row = Record<string, unknown>

/** One SQL statement with its parameters (`$1`, `$2`, …); `R` is the type of its rows. */
export type SqlStatement<R = Row> = {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Never set. This property only carries the row type. */
  readonly row?: R
}

/** The rows of each statement, in order. */
export type RowsOf<S extends readonly SqlStatement<unknown>[]> = {
  -readonly [K in keyof S]: S[K] extends SqlStatement<infer R> ? R[] : never
}

/** Database roles that the server itself uses: one for the authentication service and one for the change feed. */
export type ServiceRole = 'supabase_auth_admin' | 'supabase_realtime_admin'

/** The role, session and limits with which a database transaction runs. */
export type Scope = {
  readonly role: DatabaseRole | ServiceRole
  /** The claims as JSON, which functions such as `auth.uid()` read; may be empty. */
  readonly claims: string
  /** The caller's session. If this session has ended, the database refuses the whole transaction with FZ401. */
  readonly session: ScopeSession | null
  /**
   * The sessions of further callers, for a transaction that runs several callers' statements. The database also refuses
   * the transaction if one of these sessions has ended.
   */
  readonly others?: readonly ScopeSession[]
  /** With `read`, the database itself refuses every write. */
  readonly access: 'read' | 'write'
  /**
   * Limits of the caller's refused writes. If one of them is used up, the database refuses this write with FZ429
   * instead of running it.
   */
  readonly refusals?: readonly { readonly limit: string; readonly key: string }[]
  /** True for a database transaction that runs for an administrator. */
  readonly isStaff?: boolean
  /** True for a read that runs in well under a millisecond; such reads may share a connection. */
  readonly isShort?: boolean
  /** Set to skip the admission queue. Only a task that sends one transaction at a time may set this property. */
  readonly bypassesAdmission?: true
}

export type ScopeSession = {
  readonly id: string
  readonly userId: string
  /**
   * Set to admit a session that has not verified the user's second factor. Without this property, the database refuses
   * the session with 42501.
   */
  readonly isOneFactorEnough?: true
}

export interface Database {
  readonly engine: 'pglite' | 'postgres'

  /**
   * Runs the statements as one database transaction, in one round trip, with the rights of `scope`. Resolves when the
   * commit is durable. Throws `SqlError` when the database refuses a statement; the whole transaction is then rolled
   * back. Throws `DatabaseUnavailable` when the database cannot be reached or does not answer.
   */
  transaction<const S extends readonly SqlStatement<unknown>[]>(
    scope: Scope,
    statements: S,
  ): Promise<RowsOf<S>>

  /** Returns the number of running batches. */
  running(): number

  /** Calls the listener after this process commits a write, and shortly after another server commits a write. */
  onWrite(listener: () => void): void

  /** Waits for the running batches and closes the connections. */
  close(): Promise<void>
}

/**
 * A connection that has the rights of the owner of all objects, for migrations and upkeep. This connection never serves
 * a request.
 */
export interface Owner {
  /** Runs a script of statements as one database transaction. Throws `SqlError`. */
  script(sql: string): Promise<void>
  /** Runs one statement. Throws `SqlError`. */
  query<R>(statement: SqlStatement<R>): Promise<R[]>
  close(): Promise<void>
}

/** Builds a statement from a template, in which every `${value}` becomes a bound parameter. */
export function sql<R = Row>(parts: TemplateStringsArray, ...values: SqlValue[]): SqlStatement<R> {
  return { text: parts.reduce((text, part, index) => `${text}$${index}${part}`), values }
}

/** The database refused a statement. The properties are the fields of PostgreSQL's error message. */
export class SqlError extends Error {
  override readonly name = 'SqlError'
  /** The SQLSTATE, five characters. */
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

/**
 * Checks whether the database refused a statement because the user must first enter the password or a mailed code in
 * this session.
 */
export function needsProof(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'reauthentication_needed'
}

/** SQLSTATE that `auth.require_session` raises for a request whose session has ended. */
export const sessionEndedSqlState = 'FZ401'

export function isSessionEnded(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === sessionEndedSqlState
}

/**
 * SQLSTATE that `private.limit_refused_writes` raises before a write runs, because the database has refused too many
 * earlier writes of the caller.
 */
export const tooManyRefusalsSqlState = 'FZ429'

/**
 * SQLSTATE for an answer longer than `answerBytesMax`. Either `rest.require_length` or the code that reads the engine's
 * answer raises this SQLSTATE.
 */
export const answerTooLongSqlState = 'FZ431'

export function isAnswerTooLong(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === answerTooLongSqlState
}

/** Checks whether the database refused a statement because the session has not verified the user's second factor. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'insufficient_aal'
}

/**
 * Checks whether a refusal is retryable (503). A refusal is retryable if the connection broke, transactions conflicted,
 * the server restarted, or the database ran out of memory, disk space or connections.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof SqlError && /^(?:08|40|53|57P)/.test(error.sqlState)
}

/**
 * Checks whether the cause of the error is the database and not the request or its session (503). The database is the
 * cause of all retryable errors, and also of a cancelled statement, a disk error, a lock timeout, and the refusal of a
 * standby that has not been promoted yet. The table API answers these errors with codes of its own.
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
  /** The address to which the server tried to connect; `null` if an open connection failed. */
  readonly address: DatabaseAddress | null

  constructor(
    message: string,
    { cause, address = null }: { cause?: unknown; address?: DatabaseAddress | null } = {},
  ) {
    super(message, { cause })
    this.address = address
  }
}

/** The admission queue has shed the request (docs/overload.md). Nothing was sent to the database. */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name = 'DatabaseBusy'
}

/** The database server at this address is a replica, which does not accept writes. */
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
