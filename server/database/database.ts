/**
 * The one way to the database: a database transaction is a list of SQL statements that are sent
 * together and answered together. There is no interactive transaction, so no lock is ever held while
 * JavaScript thinks; a decision that needs a lock is a SQL function (docs/decisions/0005).
 */
import type { Place } from './postgres/explain-failure.ts'
import type { Scope } from './scope.ts'

/** What a parameter may be; anything else is made one of these by the caller (JSON by `JSON.stringify`). */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null

/** One row: `int8` is a number, `numeric` and times are text, `jsonb` is parsed, `bytea` is a `Uint8Array`. */
export type Row = Record<string, unknown>

/** One SQL statement with its parameters (`$1`, `$2`, …); `R` is the row that it answers. */
export type SqlStatement<R = Row> = {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Never set: carries the type of the rows. */
  readonly row?: R
}

/** The rows of each statement, in their order. */
export type RowsOf<S extends readonly SqlStatement<unknown>[]> = {
  -readonly [K in keyof S]: S[K] extends SqlStatement<infer R> ? R[] : never
}

export interface Database {
  readonly engine: 'pglite' | 'postgres'

  /**
   * Runs the statements as one database transaction, in one round trip, with the rights of `scope`.
   * Answers when the commit is durable. Throws `SqlError` when the database refused (everything is
   * rolled back) and `DatabaseUnavailable` when it could not be asked or did not answer.
   */
  transaction<const S extends readonly SqlStatement<unknown>[]>(
    scope: Scope,
    statements: S,
  ): Promise<RowsOf<S>>

  /** What of it is in use at this moment. */
  load(): DatabaseLoad

  /** Calls back after each committed writing transaction of this process, and soon after those of other servers. */
  onWrite(listener: () => void): void

  /** Finishes what is running and closes. */
  close(): Promise<void>
}

/** How busy a database is, as its process sees it. */
export type DatabaseLoad = {
  /** Batches that are at work. */
  readonly running: number
  /** Batches that were handed over and wait for their turn. */
  readonly waiting: number
}

/** The owner of all objects: applies migrations and does upkeep, never serves a request. */
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

/** The database refused: what it said, field by field (PostgreSQL's protocol, error fields). */
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

/** Whether the database refused because who is there was not shown in this session a moment ago. */
export function needsProof(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'reauthentication_needed'
}

/** SQLSTATE of a request whose session has ended, raised by `auth.require_session`. */
export const sessionEndedSqlState = 'FZ401'

/** Whether the database refused because the session has ended. */
export function isSessionEnded(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === sessionEndedSqlState
}

/** Whether the database refused because the person has a second factor and has not shown it in this session. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '42501' && error.hint === 'insufficient_aal'
}

/**
 * Whether the refusal passes: broken connections, conflicts with others, want of memory, disk or connections, a
 * server that ends or starts. Nobody's mistake, worth trying again, an answer of 503.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof SqlError && /^(?:08|40|53|57P)/.test(error.sqlState)
}

/** The database is away, starting or overloaded: worth trying again, an answer of 503. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
  /** Where a connection was tried; `null` for one that was open already. */
  readonly place: Place | null

  constructor(message: string, { cause, place = null }: { cause?: unknown; place?: Place | null } = {}) {
    super(message, { cause })
    this.place = place
  }
}

/** The database is there, and too many wait for it already (docs/decisions/0050). Nothing was sent to it. */
export class DatabaseBusy extends DatabaseUnavailable {
  override readonly name = 'DatabaseBusy'
}
