/**
 * Errors of the database as answers: SQLSTATE → status (PostgREST v16,
 * Error/PgError/ServerError.hs). PostgreSQL's message is passed on where it is about the request; where it is
 * about the server, the client reads the status alone.
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

/** The answers to states that functions of the database raise. */
const ownStates: ReadonlyMap<string, (detail: string) => WireError> = new Map([
  [sessionEndedSqlState, restErrors.sessionEnded],
  // rest.require_single: the request wants one object, and the result has another number of rows.
  ['FZ406', restErrors.notSingle],
  // rest.count_slow_checks: expensive filters ran over too many rows.
  ['FZ408', restErrors.tooExpensive],
  // rest.limit_written_rows: the write touches more rows than one may.
  ['FZ413', restErrors.tooManyRows],
  // rest.require_max_affected: the write touches more rows than the client said it may.
  ['FZ424', restErrors.maxAffected],
  [tooManyRefusalsSqlState, restErrors.tooManyRefusals],
  // rest.require_length, or the reader of the database's answers.
  [answerTooLongSqlState, restErrors.answerTooLong],
])

// The longest matching beginning counts. An unlisted state is a mistake of ours.
const statusByBeginning: readonly (readonly [beginning: string, status: number])[] = [
  // A column of a view that is computed, or a view that cannot be written at all.
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
  // An operator that several types have; of functions it is PGRST203.
  ['42725', 400],
  ['42804', 400],
  // A cast that there is not between these two types.
  ['42846', 400],
  ['42883', 404],
  // A value for a column that only the database writes.
  ['428C9', 400],
  // A write to a materialized view, which PostgreSQL cannot do.
  ['42809', 400],
  ['42P16', 400],
  ['42P01', 404],
  // `on_conflict` names columns that are not unique.
  ['42P10', 400],
  ['42703', 400],
  // Arrays of arrays do not exist.
  ['42704', 400],
  // It took too long. Not 503: a client would ask the same again at once.
  ['57014', 500],
  ['P0', 400],
]

/** States of functions of the database: first characters that the standard leaves to implementations. */
const customStates = /^(?:FZ|[5-9I-Z])/
/** Implementation-defined states of PostgreSQL itself. */
const postgresStates = /^(?:5[34578]|72|HV|P0|XX)/

/** Decides which part of an error a client may read. */
export type ErrorContext = {
  readonly isAnonymous: boolean
  /** Whether a request could name a table or function of that name. */
  readonly exposes: (name: string) => boolean
  /** The comment of a check constraint; `null` without one. */
  readonly constraintMessage: (constraint: string) => string | null
}

/** The `WireError` of an error of the database; anything else is returned as it is. */
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
        // PostgreSQL's hints guess at names, also at hidden ones.
        hint: sqlState.startsWith('42') ? null : error.hint,
      },
      headers: isUnauthorized ? { 'www-authenticate': 'Bearer' } : retryAfterOf(error),
      cause: error,
    },
  )
}

/** `ledger.require_quota` says in its detail how long to wait; on a hosted project the detail is all there is. */
function retryAfterOf({ sqlState, detail }: SqlError): Record<string, string> {
  const seconds = sqlState === 'PT429' ? /^Retry-After: (\d+)$/.exec(detail ?? '')?.[1] : undefined
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const objectNames =
  /\b(?:table|relation|view|function|procedure|sequence|schema|language) "?(?:public\.)?([\w$.]+)/gu

/** Whether the message names an object that no request could name, e.g. inside of a function or policy. */
function namesHidden(sqlState: string, text: string, exposes: ErrorContext['exposes']): boolean {
  if (!/^(?:23|42)/.test(sqlState)) return false
  return [...text.matchAll(objectNames)].some(([, name = '']) => name !== 'public' && !exposes(name))
}

/** States whose details show the whole row, also columns that the caller may not select. */
const wholeRowStates: ReadonlySet<string> = new Set(['23502', '23514'])

/** A row of a table that the message may not name is as hidden as the table. */
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
  // `raise … using errcode = 'PT404'` chooses its status.
  const chosen = /^PT([45]\d\d)$/.exec(sqlState)
  if (chosen !== null) return Number(chosen[1])
  // The one syntax that is the client's own.
  if (sqlState === '42601' && message.startsWith('syntax error in tsvector')) return 400
  // The body has one row twice.
  if (sqlState === '21000' && message.startsWith('ON CONFLICT')) return 400
  const status = statusByBeginning.find(([beginning]) => sqlState.startsWith(beginning))?.[1]
  // As upstream answers all that it does not know.
  return status ?? (customStates.test(sqlState) && !postgresStates.test(sqlState) ? 400 : null)
}
