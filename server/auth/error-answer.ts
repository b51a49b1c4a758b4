/** Formats an error on `/auth/v1`: the client's API version selects one of two shapes (GoTrue, `api/errors.go`). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  DatabaseBusy,
  SqlError,
  isAnswerTooLong,
  isOutage,
  lacksSecondFactor,
  needsProof,
  sessionEndedSqlState,
} from '#database/database.ts'
import { networkOf } from '#http/network.ts'
import { WireError, retryAfterSeconds } from '#http/wire-error.ts'
import { PoolFull } from '#overload/fair-pool.ts'
import { RefusalPace } from '#overload/refusal-pace.ts'
import { WeakPassword } from '#people/password/passwords.ts'
import { TooManyRequests } from '#throttle/throttle.ts'
import { authErrors } from './errors.ts'

const versionHeader = 'x-supabase-api-version'
const codeVersion = '2024-01-01'

/**
 * Returns the surface's error handler. The handler delays every answer whose status is 429 or 503, because a client
 * that gets an immediate refusal also retries immediately.
 */
export function errorHandler(): (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> {
  const pace = new RefusalPace()
  return async (error, request, reply) => {
    const refusal = asWireError(error)
    if (refusal.status === 429 || refusal.status === 503) await pace.turn(networkOf(request.ip))
    answer(error, refusal, request, reply)
    return reply
  }
}

function answer(error: unknown, refusal: WireError, request: FastifyRequest, reply: FastifyReply): void {
  if (refusal.status >= 500 && !isShed(error)) request.log.error(error, 'authentication surface failed')
  void reply.code(refusal.status).headers(refusal.headers).header('x-sb-error-code', refusal.code)
  if (speaksCodes(request)) {
    void reply
      .header(versionHeader, codeVersion)
      .send({ code: refusal.code, message: refusal.message, ...refusal.fields })
    return
  }
  const errorId = refusal.status >= 500 ? { error_id: request.id } : {}
  void reply.send({
    code: refusal.status,
    error_code: refusal.code,
    msg: refusal.message,
    ...errorId,
    ...refusal.fields,
  })
}

/**
 * Returns whether the server refused the request because of overload. The log omits the stack traces of these errors,
 * because hundreds of stack traces at once would block the event loop.
 */
function isShed(error: unknown): boolean {
  const cause = error instanceof WireError ? error.cause : error
  return [PoolFull, DatabaseBusy, TooManyRequests].some((shed) => cause instanceof shed)
}

/** Converts an error to a row of `authErrors`. An unknown error becomes an internal error without details. */
export function asWireError(error: unknown): WireError {
  if (error instanceof WireError) return error
  if (error instanceof WeakPassword) return weakPassword(error)
  if (error instanceof SqlError && error.sqlState === sessionEndedSqlState)
    return new WireError(authErrors.sessionNotFound, { cause: error })
  if (lacksSecondFactor(error)) return new WireError(authErrors.insufficientAal, { cause: error })
  if (needsProof(error)) return new WireError(authErrors.reauthenticationNeeded, { cause: error })
  if (isOutage(error) || error instanceof PoolFull) {
    const headers = { 'retry-after': String(retryAfterSeconds) }
    const row = hasNoRoom(error) ? authErrors.noRoom : authErrors.unavailable
    return new WireError(row, { headers, cause: error })
  }
  if (error instanceof SqlError && error.hint === 'reserved_name')
    return new WireError(authErrors.reservedName, { cause: error })
  if (isAnswerTooLong(error)) return new WireError(authErrors.answerTooLong, { cause: error })
  // PostgreSQL cannot store the value in its column (class 22).
  if (error instanceof SqlError && error.sqlState.startsWith('22'))
    return new WireError(authErrors.badRequest, { cause: error })
  if (isFastifyError(error)) {
    const row = error.statusCode === 413 ? authErrors.bodyTooLarge : authErrors.badRequest
    return new WireError(row, { cause: error })
  }
  return new WireError(authErrors.unexpected, { cause: error })
}

function hasNoRoom(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '53100'
}

function weakPassword(error: WeakPassword): WireError {
  if (error.weakness === 'too long') return new WireError(authErrors.passwordTooLong, { cause: error })
  if (error.weakness === 'common') {
    return new WireError(authErrors.commonPassword, {
      fields: { weak_password: { reasons: ['pwned'] } },
      cause: error,
    })
  }
  const message = `Password should be at least ${error.lengthMin} characters.`
  return new WireError(
    { ...authErrors.weakPassword, message },
    { fields: { weak_password: { reasons: ['length'] } }, cause: error },
  )
}

function isFastifyError(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

function speaksCodes(request: FastifyRequest): boolean {
  const version = request.headers[versionHeader]
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= codeVersion
}
