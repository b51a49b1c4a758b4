/**
 * Refusals of the table API, with PostgREST's codes, statuses and messages (docs/wire.md; PostgREST v16,
 * Error/ApiRequestError.hs and Error/SchemaCacheError.hs). For refusals by the database, see database-errors.ts. Unlike
 * PostgREST's hints, these hints never guess at names, because a guess would reveal tables that the client did not
 * name.
 */
import {
  answerBytesMax,
  restEmbeddedRowsMs,
  restExpensiveTestsMs,
  restWriteRowsMax,
  urlBytesMax,
} from '@finanzas/contract/limits.ts'
import { WireError, retryAfterSeconds } from '#http/wire-error.ts'

type More = {
  details?: string | readonly object[]
  hint?: string
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** One function for each error that the table API returns. */
export const restErrors = {
  /** The database is unavailable or overloaded. The client should try again. */
  databaseUnavailable: (cause: unknown) =>
    refusal(503, 'PGRST000', 'Database connection error. Retrying the connection.', {
      headers: { 'retry-after': String(retryAfterSeconds) },
      cause,
    }),

  /** A query parameter is invalid or exceeds a limit. */
  unparsable: (message: string, details: string) => refusal(400, 'PGRST100', message, { details }),
  addressTooLong: () => refusal(414, 'PGRST100', `The URL is longer than ${urlBytesMax} bytes`),
  /**
   * A function was called with an HTTP method that it does not support. With GET, clients can call only functions that
   * do not change data.
   */
  functionMethod: (method: string, allow = 'GET, HEAD, POST') =>
    refusal(405, 'PGRST101', `Cannot use the ${method} method on RPC`, { headers: { allow } }),
  invalidBody: (message = 'Empty or invalid json') => refusal(400, 'PGRST102', message),
  contentType: (given: string) => refusal(400, 'PGRST102', `Content-Type not acceptable: ${given}`),
  bodyTooLong: (bytesMax: number) => refusal(413, 'PGRST102', `The body is longer than ${bytesMax} bytes`),
  /** The limit is negative, or the offset is past the last row in a request that also counts the rows. */
  rangeNotSatisfiable: (details: string, headers: Record<string, string> = {}) =>
    refusal(416, 'PGRST103', 'Requested range not satisfiable', { details, headers }),
  schemaNotExposed: (schema: string) =>
    refusal(406, 'PGRST106', `Invalid schema: ${schema}`, {
      hint: 'Only the following schemas are exposed: public',
    }),
  mediaType: (accepted: string) =>
    refusal(406, 'PGRST107', `None of these media types are available: ${accepted}`),
  /** A filter or `order` refers to an embedded table that `select` does not contain. */
  notEmbedded: (name: string) =>
    refusal(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    }),
  notSingle: (details: string) =>
    refusal(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', { details }),
  method: (method: string) =>
    refusal(405, 'PGRST117', `Unsupported HTTP method: ${method}`, {
      headers: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
    }),
  /**
   * The request orders rows by a column of an embedded table, but several rows of that table may be embedded in each
   * row.
   */
  relatedOrder: (table: string, embedded: string) =>
    refusal(400, 'PGRST118', `A related order on '${embedded}' is not possible`, {
      details: `'${table}' and '${embedded}' do not form a many-to-one or one-to-one relationship`,
    }),
  /** The only supported filter on an embedded table itself is the test whether any row is embedded. */
  embedFilter: (embedded: string) =>
    refusal(400, 'PGRST120', `Bad operator on the '${embedded}' embedded resource`, {
      details: 'Only is null or not is null filters are allowed on embedded resources',
    }),
  preferences: (invalid: readonly string[]) =>
    refusal(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${invalid.join(', ')}`,
    }),
  aggregates: () => refusal(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  /**
   * The write would change more rows than the server allows. PostgREST uses the same code for the client's own limit.
   */
  tooManyRows: (details: string) =>
    refusal(400, 'PGRST124', `One write may touch at most ${restWriteRowsMax} rows`, { details }),
  /** The write changes more rows than the client allows (`max-affected`). */
  maxAffected: (details: string) =>
    refusal(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', { details }),
  /** A call uses `max-affected`, but its function does not return a set of rows. */
  maxAffectedCall: () =>
    refusal(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),
  path: () => refusal(404, 'PGRST125', 'Invalid path specified in request URL'),
  /**
   * Only signed-in users may call a function that takes a large body. The database would also refuse the call, but the
   * server refuses it before reading the body.
   */
  signedInOnly: () =>
    refusal(401, '42501', 'permission denied', { headers: { 'www-authenticate': 'Bearer' } }),
  /** The client requested `GET /`, but the server does not publish a description of its schema. */
  description: () => refusal(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  /** PostgREST supports this feature, but this server does not. */
  notImplemented: (details: string) => refusal(400, 'PGRST127', 'Feature not implemented', { details }),

  noRelationship: (parent: string, child: string, hint: string | null) =>
    refusal(
      400,
      'PGRST200',
      `Could not find a relationship between '${parent}' and '${child}' in the schema cache`,
      {
        details: `Searched for a foreign key relationship between '${parent}' and '${child}'${hint === null ? '' : ` using the hint '${hint}'`} in the schema 'public', but no matches were found.`,
      },
    ),
  /** Several foreign keys link the two tables. The error's `details` contain the names of these keys. */
  ambiguousRelationship: (
    { parent, child }: { parent: string; child: string },
    ways: readonly { readonly target: string; readonly key: string; readonly description: object }[],
  ) =>
    refusal(
      300,
      'PGRST201',
      `Could not embed because more than one relationship was found for '${parent}' and '${child}'`,
      {
        details: ways.map(({ description }) => description),
        hint: `Try changing '${child}' to one of the following: ${ways.map(({ target, key }) => `'${target}!${key}'`).join(', ')}. Find the desired relationship in the 'details' key.`,
      },
    ),
  noFunction: (name: string, keys: readonly string[]) =>
    refusal(
      404,
      'PGRST202',
      `Could not find the function public.${name}${keys.length === 0 ? ' without parameters' : `(${keys.join(', ')})`} in the schema cache`,
      {
        details: `Searched for the function public.${name}${keys.length === 0 ? ' without parameters' : ` with parameter${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`}, but no matches were found in the schema cache.`,
      },
    ),
  ambiguousFunction: (signatures: readonly string[]) =>
    refusal(
      300,
      'PGRST203',
      `Could not choose the best candidate function between: ${signatures.join(', ')}`,
      {
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ),
  /**
   * Filters that cannot use an index took longer than `restExpensiveTestsMs`, or embedded rows took longer than
   * `restEmbeddedRowsMs`. A hosted project sends the same error when a statement times out.
   */
  tooExpensive: () =>
    refusal(400, '57014', 'canceling statement due to statement timeout', {
      details: `Patterns, lists and JSON paths may take ${restExpensiveTestsMs} ms of a statement, embedded rows ${restEmbeddedRowsMs}`,
      hint: 'They are held against every row that the other filters leave: narrow those by key or by date.',
    }),
  /** The answer would exceed `answerBytesMax`. The code is PostgreSQL's `program_limit_exceeded`. */
  answerTooLong: (details: string) =>
    refusal(400, '54000', `The answer is longer than ${answerBytesMax} bytes`, {
      ...(details === '' ? {} : { details }),
      hint: 'Ask for fewer rows or columns.',
    }),
  noColumn: (table: string, column: string) =>
    refusal(400, 'PGRST204', `Could not find the '${column}' column of '${table}' in the schema cache`),
  noTable: (table: string) =>
    refusal(404, 'PGRST205', `Could not find the table 'public.${table}' in the schema cache`),
  undefinedColumn: (table: string, column: string) =>
    refusal(400, '42703', `column ${table}.${column} does not exist`),
  undefinedType: (type: string) => refusal(400, '42704', `type "${type}" does not exist`),
  embeddedTwice: (name: string) => refusal(400, '42712', `table name "${name}" specified more than once`),
  /**
   * The client sent a number as text, and the text is not a JSON number. PostgreSQL would accept other notations too.
   */
  notNumber: (type: string, text: string) =>
    refusal(400, '22P02', `invalid input syntax for type ${type}: "${text}"`),
  /**
   * The request would change or delete all rows of a table. A hosted project's safeupdate extension refuses this as
   * well.
   */
  unfiltered: (statement: 'UPDATE' | 'DELETE') =>
    refusal(400, '21000', `${statement} requires a WHERE clause`),

  tokenInvalid: (message: string, details?: string) => unauthorized('PGRST301', message, details),
  /** The three parts of the token cannot be decoded. */
  tokenUnreadable: () => unauthorized('PGRST301', 'JWT cryptographic operation failed'),
  /** According to its header, the token has no signature. */
  tokenUnsigned: () =>
    unauthorized(
      'PGRST301',
      'Wrong or unsupported encoding algorithm',
      "JWT is unsecured but expected 'alg' was not 'none'",
    ),
  /** The token has expired, or its claims differ from the claims in this server's own tokens. */
  tokenClaims: (message: string) => unauthorized('PGRST303', message),
  /**
   * The token is valid, but its session has ended, for example because the user signed out or was deleted or banned.
   */
  sessionEnded: () => unauthorized('PGRST303', 'The session of this JWT has ended'),

  /** This write does not run, because too many of the caller's earlier writes were refused. */
  tooManyRefusals: (seconds: string) =>
    refusal(429, 'FZ429', 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.', {
      headers: { 'retry-after': seconds },
    }),
  /**
   * The administrator must first enter the password or a mailed code again, because the last time was too long ago
   * (`private.require_proof`). The auth surface and the functions use the same code.
   */
  proofNeeded: (message: string) => refusal(403, 'reauthentication_needed', message),

  /** An internal error. Only the log contains the details. */
  internal: (cause: unknown) => refusal(500, 'PGRSTX00', 'Internal Server Error', { cause }),
}

const staleNames = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42703'])

/** Checks whether the error reports an unknown name. The name may exist once the schema has been reloaded. */
export function isUnknownName(error: unknown): boolean {
  return error instanceof WireError && staleNames.has(error.code)
}

function unauthorized(code: string, message: string, details?: string): WireError {
  const headers = { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` }
  return refusal(401, code, message, details === undefined ? { headers } : { headers, details })
}

function refusal(status: number, code: string, message: string, more: More = {}): WireError {
  const { details = null, hint = null, headers = {}, cause } = more
  return new WireError({ status, code, message }, { fields: { details, hint }, headers, cause })
}
