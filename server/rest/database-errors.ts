/**
 * Converts the database's errors to HTTP errors. In most cases, the SQLSTATE alone determines the status (PostgREST
 * v16, Error/PgError/ServerError.hs). If the message is about the request, the client gets the message. If the message
 * is about the server, the client gets only the status.
 */
import {
  DatabaseUnavailable,
  SqlError,
  answerTooLongSqlState,
  isTransient,
  needsProof,
  sessionEndedSqlState,
  tooManyRefusalsSqlState,
} from '#database/database.ts'
import { WireError } from '#http/wire-error.ts'
import { restErrors } from './errors.ts'

/** Errors for the SQLSTATEs that the database's own functions raise. */
const ownStates: ReadonlyMap<string, (detail: string) => WireError> = new Map([
  [sessionEndedSqlState, restErrors.sessionEnded],
  // rest.require_single: the request is for one object, but the result does not contain exactly one row.
  ['FZ406', restErrors.notSingle],
  // rest.count_slow_checks: expensive filters had to check too many rows.
  ['FZ408', restErrors.tooExpensive],
  // rest.limit_written_rows: the write changes more rows than the server allows.
  ['FZ413', restErrors.tooManyRows],
  // rest.require_max_affected: the write changes more rows than the client allows.
  ['FZ424', restErrors.maxAffected],
  [tooManyRefusalsSqlState, restErrors.tooManyRefusals],
  // Raised by rest.require_length, or by the code that reads the database's answers.
  [answerTooLongSqlState, restErrors.answerTooLong],
])

// The status for each prefix of a SQLSTATE. The first match in the list applies, so longer prefixes precede shorter
// ones. A SQLSTATE that matches no prefix is an internal error.
const statusByBeginning: readonly (readonly [beginning: string, status: number])[] = [
  // A write to a view that cannot be written, or to a computed column of a view.
  ['0A000', 400],
  ['55000', 400],
  // The statement waited too long for a lock.
  ['55P03', 500],
  ['22', 400],
  ['23503', 409],
  ['23505', 409],
  ['23', 400],
  ['25006', 405],
  ['42501', 403],
  // An operator is ambiguous, because it exists for several types. An ambiguous function gets the code PGRST203.
  ['42725', 400],
  ['42804', 400],
  // PostgreSQL has no cast between the two types.
  ['42846', 400],
  ['42883', 404],
  // A value was given for a column that only the database may write.
  ['428C9', 400],
  // The request writes to a materialized view, which PostgreSQL does not support.
  ['42809', 400],
  ['42P16', 400],
  ['42P01', 404],
  // `on_conflict` names columns that are not unique.
  ['42P10', 400],
  ['42703', 400],
  // The request needs an array of arrays, which PostgreSQL does not support.
  ['42704', 400],
  // The statement timed out. The status is not 503, because the client would then repeat the same slow request at once.
  ['57014', 500],
  ['P0', 400],
]

/**
 * The SQL standard lets implementations define SQLSTATEs that begin with these characters. The database's own functions
 * use such SQLSTATEs.
 */
const customStates = /^(?:FZ|[5-9I-Z])/
/** The implementation-defined SQLSTATEs that PostgreSQL itself uses. */
const postgresStates = /^(?:5[34578]|72|HV|P0|XX)/

/** The facts about the caller and the schema that decide which parts of an error the client may see. */
export type ErrorContext = {
  readonly isAnonymous: boolean
  /** Returns whether there is a table or function with this name that requests can use. */
  readonly exposes: (name: string) => boolean
  /** Returns the comment on a check constraint; `null` if the constraint has no comment. */
  readonly constraintMessage: (constraint: string) => string | null
}

/** Converts a database error to a `WireError`. Returns any other error unchanged. */
export function wireErrorOf(error: unknown, context: ErrorContext): unknown {
  const { isAnonymous, exposes } = context
  if (error instanceof DatabaseUnavailable) return restErrors.databaseUnavailable(error)
  if (!(error instanceof SqlError)) return error
  if (needsProof(error)) return restErrors.proofNeeded(error.message)
  const { sqlState, detail } = error
  const own = ownStates.get(sqlState)
  if (own !== undefined) return own(detail ?? '')
  const ambiguous = /^function (.+) is not unique$/.exec(error.message)?.[1]
  if (ambiguous !== undefined && !namesHidden(sqlState, error.message, exposes)) {
    return restErrors.ambiguousFunction([ambiguous])
  }
  if (isTransient(error)) return restErrors.databaseUnavailable(error)
  const status = statusOf(error)
  if (status === null) return restErrors.internal(error)
  const isUnauthorized = sqlState === '42501' && isAnonymous
  return new WireError(
    { status: isUnauthorized ? 401 : status, code: sqlState, message: messageOf(error, context) },
    {
      fields: {
        details: isDetailHidden(error, exposes) ? null : detail,
        // Hints of class 42 are dropped, because PostgreSQL guesses at names in these hints, including names that the
        // client may not see.
        hint: sqlState.startsWith('42') ? null : error.hint,
      },
      headers: isUnauthorized ? { 'www-authenticate': 'Bearer' } : retryAfterOf(error),
      cause: error,
    },
  )
}

/**
 * Returns the `Retry-After` header if `private.consume` has put the wait into the error's detail. A hosted project sends
 * the detail but not the header.
 */
function retryAfterOf({ sqlState, detail }: SqlError): Record<string, string> {
  const seconds = sqlState === 'PT429' ? /^Retry-After: (\d+)$/.exec(detail ?? '')?.[1] : undefined
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const objectNames =
  /\b(?:table|relation|view|function|procedure|sequence|schema|language) "?(?:public\.)?([\w$.]+)/gu

/**
 * Returns whether the text names an object that requests cannot name, for example because only a function or a policy
 * uses the object.
 */
function namesHidden(sqlState: string, text: string, exposes: ErrorContext['exposes']): boolean {
  if (!/^(?:23|42)/.test(sqlState)) return false
  return [...text.matchAll(objectNames)].some(([, name = '']) => name !== 'public' && !exposes(name))
}

/** SQLSTATEs whose detail shows the whole row, including columns that the caller may not select. */
const wholeRowStates: ReadonlySet<string> = new Set(['23502', '23514'])

/**
 * Returns whether the detail may show data that the client may not see: a whole row, or a row of a table that requests
 * cannot name.
 */
function isDetailHidden({ sqlState, message, detail }: SqlError, exposes: ErrorContext['exposes']): boolean {
  if (wholeRowStates.has(sqlState)) return true
  return [message, detail ?? ''].some((text) => namesHidden(sqlState, text, exposes))
}

function messageOf(
  { sqlState, message, constraint }: SqlError,
  { exposes, constraintMessage }: ErrorContext,
): string {
  const comment = sqlState === '23514' && constraint !== null ? constraintMessage(constraint) : null
  if (comment !== null) return comment
  if (!namesHidden(sqlState, message, exposes)) return message
  if (sqlState === '42501') return 'permission denied'
  return sqlState.startsWith('23') ? 'A constraint of the database does not allow this' : 'Undefined object'
}

function statusOf({ sqlState, message }: SqlError): number | null {
  // A function can choose the status itself with `raise … using errcode = 'PT404'`.
  const chosen = /^PT([45]\d\d)$/.exec(sqlState)
  if (chosen !== null) return Number(chosen[1])
  // A syntax error in a tsvector is the only syntax error that a client can cause.
  if (sqlState === '42601' && message.startsWith('syntax error in tsvector')) return 400
  // The body contains the same row twice.
  if (sqlState === '21000' && message.startsWith('ON CONFLICT')) return 400
  const status = statusByBeginning.find(([beginning]) => sqlState.startsWith(beginning))?.[1]
  // Upstream also answers unknown custom SQLSTATEs with 400.
  return status ?? (customStates.test(sqlState) && !postgresStates.test(sqlState) ? 400 : null)
}
