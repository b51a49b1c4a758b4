/** What the project's API said instead of an answer: the database's refusals with what the wire keeps of them. */
import type { DatabaseRefusal } from '#server/functions/handlers/refusals.ts'

/** An answer of the table API that is an error. */
export class ApiError extends Error implements DatabaseRefusal {
  override readonly name = 'ApiError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly sqlState: string
  readonly detail: string | null
  /** The wire has no field for it: PostgreSQL's message names it. */
  readonly constraint: string | null

  constructor(
    status: number,
    error: { readonly code: string; readonly message: string; readonly details: string | null },
  ) {
    super(error.message)
    this.status = status
    this.sqlState = error.code
    this.detail = error.details
    this.constraint = /\bconstraint "([^"]+)"/.exec(error.message)?.[1] ?? null
  }

  /** Nobody answered, or somebody who could not: worth trying again. */
  get isOutage(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /** The table API's codes of a token that it does not take (PostgREST, `Error.hs`). */
  get isTokenRefused(): boolean {
    return this.sqlState === 'PGRST301' || this.sqlState === 'PGRST303'
  }
}
