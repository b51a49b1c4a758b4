/**
 * Errors that a client may see. Every surface lists its own in one table (`<surface>/errors.ts`) and formats them;
 * any other error is a fault of the server and shows no detail.
 */

/** One row of a surface's table. */
export type WireErrorRow = { readonly status: number; readonly code: string; readonly message: string }

/** A refusal: the client's answer, and the cause for the log alone. */
export class WireError extends Error {
  override readonly name = 'WireError'
  /** HTTP status. */
  readonly status: number
  /** The code that clients branch on, of the surface's table. */
  readonly code: string
  /** Further fields of the body, e.g. PostgREST's `details` and `hint`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    row: WireErrorRow,
    more: {
      fields?: Readonly<Record<string, unknown>>
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(row.message, { cause: more.cause })
    this.status = row.status
    this.code = row.code
    this.fields = more.fields ?? {}
    this.headers = more.headers ?? {}
  }
}

/** `Retry-After` of an outage of the database, in seconds. */
export const retryAfterSeconds = 2
