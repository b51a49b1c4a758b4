/**
 * Converts errors of the database to answers: SQLSTATE → status (PostgREST v16, Error/PgError/ServerError.hs). A
 * message about the request is passed on. If the message concerns the server, the client gets only the status.
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

/** Answers to SQLSTATEs that functions of the database raise. */
const ownStates: ReadonlyMap<string, (detail: string) => WireError> = new Map([
  [sessionEndedSqlState, restErrors.sessionEnded],
  // rest.require_single: the request asks for one object, and the result has a different number of rows.
  ['FZ406', restErrors.notSingle],
  // rest.count_slow_checks: expensive filters ran over too many rows.
  ['FZ408', restErrors.tooExpensive],
  // rest.limit_written_rows: the write touches more rows than the server allows.
  ['FZ413', restErrors.tooManyRows],
  // rest.require_max_affected: the write touches more rows than the client allows.
  ['FZ424', restErrors.maxAffected],
  [tooManyRefusalsSqlState, restErrors.tooManyRefusals],
  // rest.require_length, or the reader of the database's answers.
  [answerTooLongSqlState, restErrors.answerTooLong],
])

// Status by prefix of the SQLSTATE. The longest matching prefix applies, and a state without a match is an internal
// error.
const statusByBeginning: readonly (readonly [beginning: string, status: number])[] = [
  // A computed column of a view, or a view that cannot be written.
  ['0A000', 400],
  ['55000', 400],
  // Lock timeout.
  ['55P03', 500],
  ['22', 400],
  ['23503', 409],
  ['23505', 409],
  ['23', 400],
  ['25006', 405],
  ['42501', 403],
  // An operator that matches several types; for functions the code is PGRST203.
  ['42725', 400],
  ['42804', 400],
  // A cast that does not exist between these two types.
  ['42846', 400],
  ['42883', 404],
  // A value for a column that only the database may write.
  ['428C9', 400],
  // A write to a materialized view, which PostgreSQL does not support.
  ['42809', 400],
  ['42P16', 400],
  ['42P01', 404],
  // `on_conflict` names columns that are not unique.
  ['42P10', 400],
  ['42703', 400],
  // An array of arrays, which PostgreSQL does not support.
  ['42704', 400],
  // A timeout. Not 503, because the client would repeat the same request at once.
  ['57014', 500],
  ['P0', 400],
]

/**
 * First characters that the SQL standard leaves to implementations. The database's own functions use such SQLSTATEs.
 */
const customStates = /^(?:FZ|[5-9I-Z])/
/** Implementation-defined SQLSTATEs of PostgreSQL itself. */
const postgresStates = /^(?:5[34578]|72|HV|P0|XX)/

/** Knowledge of the schema that decides which part of an error a client may see. */
export type ErrorContext = {
  readonly isAnonymous: boolean
  /** Returns whether a request can name a table or function of this name. */
  readonly exposes: (name: string) => boolean
  /** Returns the comment on a check constraint; `null` without one. */
  readonly constraintMessage: (constraint: string) => string | null
}

/** Returns the `WireError` for an error of the database. Any other error is returned unchanged. */
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
        // Drops the hints of class 42, because they guess at names, including names that the client may not see.
        hint: sqlState.startsWith('42') ? null : error.hint,
      },
      headers: isUnauthorized ? { 'www-authenticate': 'Bearer' } : retryAfterOf(error),
      cause: error,
    },
  )
}

/** Returns the wait in the detail of `ledger.require_quota`. A hosted project sends only this detail. */
function retryAfterOf({ sqlState, detail }: SqlError): Record<string, string> {
  const seconds = sqlState === 'PT429' ? /^Retry-After: (\d+)$/.exec(detail ?? '')?.[1] : undefined
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const objectNames =
  /\b(?:table|relation|view|function|procedure|sequence|schema|language) "?(?:public\.)?([\w$.]+)/gu

/** Returns whether the message names an object that no request can name, e.g. in a function or policy. */
function namesHidden(sqlState: string, text: string, exposes: ErrorContext['exposes']): boolean {
  if (!/^(?:23|42)/.test(sqlState)) return false
  return [...text.matchAll(objectNames)].some(([, name = '']) => name !== 'public' && !exposes(name))
}

/** SQLSTATEs whose details show the whole row, including columns that the caller may not select. */
const wholeRowStates: ReadonlySet<string> = new Set(['23502', '23514'])

/** Returns whether the detail shows a row that the client may not see. A row of a hidden table is hidden too. */
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
  // `raise … using errcode = 'PT404'` sets its own status.
  const chosen = /^PT([45]\d\d)$/.exec(sqlState)
  if (chosen !== null) return Number(chosen[1])
  // The only syntax error that a client can cause.
  if (sqlState === '42601' && message.startsWith('syntax error in tsvector')) return 400
  // The body contains the same row twice.
  if (sqlState === '21000' && message.startsWith('ON CONFLICT')) return 400
  const status = statusByBeginning.find(([beginning]) => sqlState.startsWith(beginning))?.[1]
  // Upstream's answer to unknown states.
  return status ?? (customStates.test(sqlState) && !postgresStates.test(sqlState) ? 400 : null)
}
