/**
 * `/factors` (GoTrue, `api/mfa.go`): authenticator apps as second factors. Differs: a challenge is not bound to
 * an IP address (phones change theirs), a code works once, and wrong ones in a row make the next one wait. Adding
 * and removing needs a proof of presence (docs/decisions/0044); a session of a recovery link that cannot
 * show the app is answered 202: the app ends after a wait. Refused: phones and WebAuthn.
 */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lacksSecondFactor } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { WireError, type WireErrorRow } from '#http/wire-error.ts'
import {
  type FactorsEnd,
  requestFactorsEnd,
  challengeFactor,
  enrollTotp,
  unenrollTotp,
} from '#identity/factor/totp-enrolment.ts'
import { totpEnrolment } from '#identity/factor/totp.ts'
import { type FactorOutcome, verifyTotp } from '#identity/factor/factor-verification.ts'
import { isUuid } from '#tokens/uuid.ts'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors } from '#auth/errors.ts'
import { noticeFactor } from '#auth/notices.ts'
import { limitChallenges } from '#auth/rate-limits.ts'
import { type Fields, readFields, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import { type SessionBody, sessionBody } from '#auth/session-body.ts'

const friendlyNameLengthMax = 100

const factorRefusals = {
  'unknown factor': authErrors.factorNotFound,
  'expired challenge': authErrors.challengeExpired,
} as const

const enrolRefusals = {
  'too many': authErrors.tooManyFactors,
  'name taken': authErrors.factorNameTaken,
} as const

/** Adding and removing asks for a session that has shown a factor, where there is one, and for a proof. */
export function addFactors(app: FastifyInstance, services: AuthServices): void {
  app.post('/factors', (request) => enrol(request, services))
  app.post('/factors/:id/challenge', (request) => challenge(request, services))
  app.post('/factors/:id/verify', (request) => verify(request, services))
  app.delete('/factors/:id', (request, reply) => unenrol(request, reply, services))
}

async function enrol(request: FastifyRequest, services: AuthServices) {
  const { database, keys, config } = services
  const claims = await requireUser(request, services.tokenKey)
  const fields = readFields(request)
  requireTotp(fields)
  const friendlyName = readFriendlyName(fields)
  const outcome = await enrollTotp(database, keys, { claims, friendlyName })
  if (outcome.kind !== 'enrolled') throw new WireError(enrolRefusals[outcome.kind])
  const issuer = readText(fields, 'issuer') ?? config.brandName
  const totp = totpEnrolment(outcome.secret, { issuer, label: claims.email })
  return {
    id: outcome.id,
    type: 'totp',
    ...(friendlyName === null ? {} : { friendly_name: friendlyName }),
    totp,
  }
}

async function challenge(request: FastifyRequest, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  await limitChallenges(services, claims.session_id)
  const made = await challengeFactor(services.database, claims, factorIdOf(request))
  if (made === null) throw new WireError(authErrors.factorNotFound)
  return { id: made.id, type: 'totp', expires_at: made.expiresAt }
}

async function verify(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const { database, keys, tokenKey } = services
  const claims = await requireUser(request, tokenKey)
  const factorId = factorIdOf(request)
  const fields = readFields(request)
  const code = readText(fields, 'code')
  if (code === null) throw new WireError(authErrors.missingCode)
  const challengeId = readText(fields, 'challenge_id')
  if (!isUuid(challengeId)) throw new WireError(authErrors.challengeExpired)
  const outcome = await verifyTotp(database, keys, { claims, factorId, challengeId, code })
  if (outcome.kind === 'verified' && outcome.undoToken !== null) {
    const { undoToken, signedIn } = outcome
    logEvent(request.log, 'second factor added', { userId: claims.sub, factor: 'app' })
    noticeFactor(services, request, { to: signedIn.user.email, event: { kind: 'app added' }, undoToken })
  }
  return raisedSession(services, outcome, {
    log: request.log,
    claims,
    factor: 'app',
    wrong: authErrors.totpCodeInvalid,
    locked: authErrors.factorLocked,
  })
}

async function unenrol(request: FastifyRequest, reply: FastifyReply, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  const id = factorIdOf(request)
  const removed = await unenrollTotp(services.database, claims, id).catch(async (error: unknown) => {
    const end = lacksSecondFactor(error) ? await requestFactorsEnd(services.database, claims) : null
    if (end === null) throw error
    return end
  })
  if (removed === null) throw new WireError(authErrors.factorNotFound)
  if ('at' in removed) {
    noteEnd(request, services, removed, claims)
    return reply.code(202).send({ id, ends_at: removed.at })
  }
  if (removed.hasCounted) {
    logEvent(request.log, 'second factor removed', { userId: claims.sub, factor: 'app' })
    noticeFactor(services, request, { to: removed.email, event: { kind: 'app removed' } })
  }
  return { id }
}

/** The owner gets one mail, however often it is requested. */
function noteEnd(
  request: FastifyRequest,
  services: AuthServices,
  { at, email, isNew }: FactorsEnd,
  { sub: userId, session_id: sessionId }: AccessTokenClaims,
): void {
  if (!isNew) return
  logEvent(request.log, 'end of second factors asked for', { userId, sessionId })
  noticeFactor(services, request, { to: email, event: { kind: 'end asked for', at: new Date(at) } })
}

/** The session that showed a factor. Throws what became of it otherwise. */
export function raisedSession(
  services: AuthServices,
  outcome: FactorOutcome,
  shown: {
    readonly log: FastifyBaseLogger
    readonly claims: AccessTokenClaims
    readonly factor: 'app' | 'recovery code'
    readonly wrong: WireErrorRow
    readonly locked: WireErrorRow
  },
): Promise<SessionBody> {
  const { log, claims, factor } = shown
  const line = { userId: claims.sub, sessionId: claims.session_id, factor }
  if (outcome.kind === 'verified') {
    logEvent(log, 'second factor shown', line)
    return sessionBody(services, outcome.signedIn)
  }
  logEvent(log, 'second factor refused', { ...line, reason: outcome.kind })
  if (outcome.kind === 'wrong code') throw new WireError(shown.wrong)
  if (outcome.kind === 'locked')
    throw new WireError(shown.locked, { headers: { 'retry-after': String(outcome.waitSeconds) } })
  throw new WireError(factorRefusals[outcome.kind])
}

/** A name for a factor; `null` when none is given. Throws for what is none. */
export function readFriendlyName(fields: Fields): string | null {
  const name = readText(fields, 'friendly_name')
  if (name === null) return null
  const isName = name.isWellFormed() && !name.includes('\u0000') && [...name].length <= friendlyNameLengthMax
  if (!isName) throw new WireError(authErrors.invalidFriendlyName)
  return name
}

function requireTotp(fields: Fields): void {
  const type = readText(fields, 'factor_type')
  if (type === 'phone') throw new WireError(authErrors.phoneFactorDisabled)
  if (type === 'webauthn') throw new WireError(authErrors.webauthnFactorDisabled)
  if (type !== 'totp') throw new WireError(authErrors.factorTypeUnknown)
}

function factorIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!isUuid(id)) throw new WireError(authErrors.factorNotFound)
  return id
}
