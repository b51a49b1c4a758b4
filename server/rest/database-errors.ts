/**
 * What the database refuses, as an answer: SQLSTATE → status (wire-contract §2.3; PostgREST v16,
 * Error/PgError/ServerError.hs). PostgreSQL's own words are passed on where they speak about the
 * request; where they speak about the server, the client reads nothing but the status.
 */
import { DatabaseUnavailable, SqlError, sessionEndedSqlState } from '#database/database.ts'
import { WireError, retryAfterSeconds } from '#http/wire-error.ts'
import { restErrors } from './errors.ts'

/** SQLSTATE of `rest.require_single`: one object was asked for, and there was another number of rows. */
const notSingleSqlState = 'FZ406'

/** SQLSTATE of `rest.require_at_most`: the write touches more rows than one may. */
const tooManyRowsSqlState = 'FZ413'

// The longest matching beginning counts. What is not listed is a mistake of ours.
const statusByBeginning: readonly (readonly [beginning: string, status: number])[] = [
  ['22', 400],
  ['23503', 409],
  ['23505', 409],
  ['23', 400],
  ['25006', 405],
  ['42501', 403],
  ['42804', 400],
  ['42883', 404],
  ['42P01', 404],
  // `on_conflict` names columns that are not unique.
  ['42P10', 400],
  ['42703', 400],
  ['P0', 400],
]

/** Conditions that pass: deadlocks and serialisation failures, too little memory or connections, a shutdown. */
const transient = /^(?:08|40|53|57P)/

/** The refusal that an error of the database amounts to; whatever else was thrown is handed back as it is. */
export function refusalOf(error: unknown, isAnonymous: boolean): unknown {
  if (error instanceof DatabaseUnavailable) return unavailable(error)
  if (!(error instanceof SqlError)) return error
  const { sqlState, message, detail, hint } = error
  if (sqlState === sessionEndedSqlState) return restErrors.sessionEnded()
  if (sqlState === notSingleSqlState) return restErrors.notSingle(detail ?? '')
  if (sqlState === tooManyRowsSqlState) return restErrors.tooManyRows(detail ?? '')
  if (transient.test(sqlState)) return unavailable(error)
  const status = statusOf(sqlState)
  if (status === null) return restErrors.internal(error)
  const isUnauthorized = sqlState === '42501' && isAnonymous
  return new WireError(
    { status: isUnauthorized ? 401 : status, code: sqlState, message },
    {
      fields: { details: detail, hint },
      headers: isUnauthorized ? { 'www-authenticate': 'Bearer' } : {},
      cause: error,
    },
  )
}

function statusOf(sqlState: string): number | null {
  // `raise … using errcode = 'PT404'` chooses its status.
  const chosen = /^PT([45]\d\d)$/.exec(sqlState)
  if (chosen !== null) return Number(chosen[1])
  return statusByBeginning.find(([beginning]) => sqlState.startsWith(beginning))?.[1] ?? null
}

function unavailable(cause: unknown): WireError {
  return restErrors.databaseUnavailable({ 'retry-after': String(retryAfterSeconds) }, cause)
}
