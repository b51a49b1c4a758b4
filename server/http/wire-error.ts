/**
 * Errors that a client may see. Every surface lists its errors in one table (`<surface>/errors.ts`) and formats them.
 * Errors outside these tables are internal errors, and the answer does not contain their details.
 */

/** One row of a surface's table. */
export type WireErrorRow = { readonly status: number; readonly code: string; readonly message: string }

/** A refusal: the answer to the client, and a cause that is only logged. */
export class WireError extends Error {
  override readonly name = 'WireError'
  /** HTTP status. */
  readonly status: number
  /** The code from the surface's table, by which clients distinguish errors. */
  readonly code: string
  /** Additional fields of the body, e.g. PostgREST's `details` and `hint`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Additional headers of the answer. */
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

/** Value of `Retry-After` during a database outage, in seconds. */
export const retryAfterSeconds = 2
