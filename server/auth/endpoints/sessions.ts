/** `POST /token` and `POST /logout` (GoTrue, `api/token.go`, `api/logout.go`): start, refresh and end sessions. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { limitRefreshes, limitSignIns } from '#auth/rate-limits.ts'
import { deviceOf } from '#auth/device.ts'
import { readFields, readQuery, readText, requireEmail } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import { type SessionBody, newSessionBody, sessionBody } from '#auth/session-body.ts'
import { logEvent } from '#http/events.ts'
import { type WireErrorRow, WireError } from '#http/wire-error.ts'
import { readEmail } from '#people/email.ts'
import { networkOf } from '#http/network.ts'
import { exchangeCode } from '#people/session/redeem.ts'
import { type LogoutScope, endSessions, refresh } from '#people/session/sessions.ts'
import { type Credentials, signIn } from '#people/session/sign-in.ts'

const grantRefusals = new Map<string | null, WireErrorRow>([
  ['id_token', authErrors.providerDisabled],
  ['web3', authErrors.web3Disabled],
])

export function addSessions(app: FastifyInstance, services: AuthServices): void {
  app.post('/token', (request) => {
    const grantType = readQuery(request, 'grant_type')
    if (grantType === 'password') return grantByPassword(request, services)
    if (grantType === 'refresh_token') return grantByRefreshToken(request, services)
    if (grantType === 'pkce') return grantByCode(request, services)
    throw new WireError(grantRefusals.get(grantType) ?? authErrors.unsupportedGrant)
  })
  app.post('/logout', { config: { isNotShed: true, isUrgent: true } }, (request, reply) =>
    logOut(request, reply, services),
  )
}

async function grantByPassword(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const fields = readFields(request)
  requireEmail(fields, authErrors.missingEmail)
  // A malformed address causes the same work and the same answer as an unknown user.
  const email = readEmail(fields['email'])
  const network = networkOf(request.ip)
  const credentials = { email, password: readText(fields, 'password') ?? '', device: deviceOf(request) }
  const turn = {
    network,
    account: email ?? '',
    isKnownThere: () => services.throttle.isKnown({ email, network }),
  }
  return services.signInTurns.run(turn, () => signInOnce(request, services, credentials))
}

/** Counts the attempt, compares the password and opens the session. */
async function signInOnce(
  request: FastifyRequest,
  services: AuthServices,
  credentials: Credentials,
): Promise<SessionBody> {
  const attempt = await limitSignIns(services, request, credentials.email)
  const outcome = await signIn(services.database, services.passwords, credentials).catch(
    async (error: unknown) => {
      // Refunds an attempt that failed because of a server error. If the refund fails too, the attempt counts until the
      // end of the rate limit's window.
      await attempt.refund().catch((lost: unknown) => request.log.error(lost, 'an attempt was not refunded'))
      throw error
    },
  )
  if (outcome.kind === 'signed in') {
    await attempt.succeeded(outcome.signedIn.user.id)
    return newSessionBody(request, services, outcome.signedIn)
  }
  logEvent(request.log, 'sign-in refused', { userId: outcome.userId, reason: outcome.kind })
  throw new WireError(refusals[outcome.kind])
}

async function grantByRefreshToken(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const verdict = services.refreshTokenKey.read(readText(readFields(request), 'refresh_token') ?? '')
  if (!verdict.ok) {
    logEvent(request.log, 'refresh refused', { reason: verdict.reason })
    throw new WireError(
      verdict.reason === 'malformed' ? authErrors.refreshTokenMalformed : refusals.not_found,
    )
  }
  await limitRefreshes(services, request, verdict.token.sessionId)
  const outcome = await refresh(services.database, verdict.token)
  if (outcome.kind === 'refreshed') return sessionBody(services, outcome.signedIn)
  const event = outcome.kind === 'already_used' ? 'refresh token used twice' : 'refresh refused'
  logEvent(request.log, event, { sessionId: verdict.token.sessionId, reason: outcome.kind })
  throw new WireError(refusals[outcome.kind])
}

async function grantByCode(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const fields = readFields(request)
  const authCode = readText(fields, 'auth_code')
  const verifier = readText(fields, 'code_verifier')
  if (authCode === null || verifier === null) throw new WireError(authErrors.missingCodeOrVerifier)
  const outcome = await exchangeCode(services.database, { authCode, verifier, device: deviceOf(request) })
  if (outcome.kind === 'signed in') return newSessionBody(request, services, outcome.signedIn)
  logEvent(request.log, 'link refused', { type: 'pkce', reason: outcome.kind })
  throw new WireError(refusals[outcome.kind])
}

/** Ends sessions immediately, together with all their tokens. */
async function logOut(request: FastifyRequest, reply: FastifyReply, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  const scope = readQuery(request, 'scope') ?? 'global'
  if (!isLogoutScope(scope)) throw new WireError(authErrors.unknownLogoutScope)
  await endSessions(services.database, claims, scope)
  logEvent(request.log, 'signed out', { userId: claims.sub, sessionId: claims.session_id, scope })
  return reply.code(204).send()
}

function isLogoutScope(scope: string): scope is LogoutScope {
  return scope === 'global' || scope === 'local' || scope === 'others'
}
