/**
 * `/factors/:id/challenge` and `/verify` (GoTrue, `api/mfa.go`): create challenges for an authenticator app or a
 * passkey and verify the responses. Three differences from GoTrue: A challenge belongs to a session instead of an IP
 * address, because a phone's address changes. Each code works only once, and consecutive wrong codes delay the next
 * attempt. The server answers 422 to an invalid passkey response, whereas GoTrue often answers 500.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { logEvent } from '#http/events.ts'
import { WireError, type WireErrorRow } from '#http/wire-error.ts'
import { challengeFactor } from '#people/factor/challenge.ts'
import { type FactorOutcome, verifyTotp } from '#people/factor/factor-verification.ts'
import { creationOptions, relyingPartyOf, requestOptions } from '#people/factor/passkey.ts'
import { verifyPasskey } from '#people/factor/passkey-verification.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { noticeFactor } from '#auth/notices.ts'
import { limitChallenges } from '#auth/rate-limits.ts'
import { type Fields, isObject, readFields, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import { type SessionBody, sessionBody } from '#auth/session-body.ts'

export function addFactorChallenge(app: FastifyInstance, services: AuthServices): void {
  app.post('/factors/:id/challenge', (request) => challenge(request, services))
  app.post('/factors/:id/verify', (request) => verify(request, services))
}

async function challenge(request: FastifyRequest, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  await limitChallenges(services, claims.session_id)
  const made = await challengeFactor(services.database, claims, factorIdOf(request))
  if (made === null) throw new WireError(refusals['unknown factor'])
  const body = { id: made.id, type: made.factorType, expires_at: made.expiresAt }
  if (made.factorType === 'totp') return body
  // Like upstream, ignores the client's `rpId` and `rpOrigins`.
  const site = relyingPartyOf(services.config)
  const user = { id: claims.sub, ...made.user }
  const webauthn = made.isFirst
    ? { type: 'create', credential_options: { publicKey: await creationOptions(site, { ...made, user }) } }
    : { type: 'request', credential_options: { publicKey: await requestOptions(site, made) } }
  return { ...body, webauthn }
}

async function verify(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const claims = await requireUser(request, services.tokenKey)
  const fields = readFields(request)
  const isPasskey = isObject(fields['webauthn'])
  const outcome = isPasskey
    ? await verifyPasskeyAnswer(request, services, { claims, fields })
    : await verifyCode(request, services, { claims, fields })
  const factor = isPasskey ? 'passkey' : 'app'
  if (outcome.kind === 'verified' && outcome.undoToken !== null) {
    const { undoToken, signedIn } = outcome
    logEvent(request.log, 'second factor added', { userId: claims.sub, factor })
    noticeFactor(services, request, {
      to: signedIn.user.email,
      event: { kind: `${factor} added` },
      undoToken,
    })
  }
  return raisedSession(services, outcome, {
    log: request.log,
    claims,
    factor,
    wrong: isPasskey ? authErrors.passkeyInvalid : authErrors.totpCodeInvalid,
    locked: authErrors.factorLocked,
  })
}

type Answered = { readonly claims: AccessTokenClaims; readonly fields: Fields }

function verifyCode(
  request: FastifyRequest,
  { database, keys }: AuthServices,
  { claims, fields }: Answered,
): Promise<FactorOutcome> {
  const factorId = factorIdOf(request)
  const code = readText(fields, 'code')
  if (code === null) throw new WireError(authErrors.missingCode)
  const challengeId = readChallengeId(fields)
  return verifyTotp(database, keys, { claims, factorId, challengeId, code })
}

function verifyPasskeyAnswer(
  request: FastifyRequest,
  { database, config }: AuthServices,
  { claims, fields }: Answered,
): Promise<FactorOutcome> {
  const factorId = factorIdOf(request)
  const { type, credential_response: response } = fields['webauthn'] as Fields
  if (type !== 'create' && type !== 'request') throw new WireError(authErrors.webauthnTypeUnknown)
  if (!isObject(response) || !isObject(response['response']))
    throw new WireError(authErrors.invalidCredentialResponse)
  const challengeId = readChallengeId(fields)
  return verifyPasskey(database, relyingPartyOf(config), { claims, factorId, challengeId, type, response })
}

/** Returns the session if the factor was verified. Otherwise throws the error for the reason of the refusal. */
export function raisedSession(
  services: AuthServices,
  outcome: FactorOutcome,
  shown: {
    readonly log: FastifyBaseLogger
    readonly claims: AccessTokenClaims
    readonly factor: 'app' | 'passkey' | 'recovery code'
    readonly wrong: WireErrorRow
    readonly locked: WireErrorRow
  },
): Promise<SessionBody> {
  const { log, claims, factor } = shown
  const line = { userId: claims.sub, sessionId: claims.session_id, factor }
  if (outcome.kind === 'verified') {
    logEvent(log, 'second factor verified', line)
    return sessionBody(services, outcome.signedIn)
  }
  logEvent(log, 'second factor refused', { ...line, reason: outcome.kind })
  if (outcome.kind === 'wrong code') throw new WireError(shown.wrong, { cause: outcome.cause })
  if (outcome.kind === 'locked')
    throw new WireError(shown.locked, { headers: { 'retry-after': String(outcome.waitSeconds) } })
  throw new WireError(refusals[outcome.kind])
}

function readChallengeId(fields: Fields): string {
  const id = readText(fields, 'challenge_id')
  if (!isUuid(id)) throw new WireError(refusals['unknown challenge'])
  return id
}

/** Returns the factor's id from the path. Throws when the id is not a UUID. */
export function factorIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!isUuid(id)) throw new WireError(refusals['unknown factor'])
  return id
}
