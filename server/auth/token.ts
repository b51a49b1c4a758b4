/** `POST /token` (GoTrue, `api/token.go`): a session for a password, or for a refresh token. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { readEmail } from '#identity/email.ts'
import { refresh } from '#identity/refresh.ts'
import { signIn } from '#identity/sign-in.ts'
import { deviceOf } from './device.ts'
import { authErrors } from './errors.ts'
import { readFields, readQuery, readText } from './request-body.ts'
import type { EndpointServices } from './services.ts'
import { type SessionBody, sessionBody } from './session-body.ts'

const signInRefusals = {
  'wrong credentials': authErrors.invalidCredentials,
  'not confirmed': authErrors.emailNotConfirmed,
  banned: authErrors.userBanned,
} as const

const refreshRefusals = {
  not_found: authErrors.refreshTokenNotFound,
  expired: authErrors.sessionExpired,
  banned: authErrors.userBanned,
  already_used: authErrors.refreshTokenAlreadyUsed,
} as const

/** Answers a session; the grant is named in the query. */
export function addToken(app: FastifyInstance, services: EndpointServices): void {
  app.post('/token', (request) => {
    const grantType = readQuery(request, 'grant_type')
    if (grantType === 'password') return grantByPassword(request, services)
    if (grantType === 'refresh_token') return grantByRefreshToken(request, services)
    throw new WireError(authErrors.unsupportedGrant)
  })
}

async function grantByPassword(request: FastifyRequest, services: EndpointServices): Promise<SessionBody> {
  const fields = readFields(request)
  const address = readText(fields, 'email')
  if (address === null) {
    const isPhone = readText(fields, 'phone') !== null
    throw new WireError(isPhone ? authErrors.phoneDisabled : authErrors.missingEmail)
  }
  const outcome = await signIn(services.database, services.passwords, {
    // What is no address is nobody's: same work, same answer.
    email: readEmail(address),
    password: readText(fields, 'password') ?? '',
    device: deviceOf(request),
  })
  if (outcome.kind === 'signed in') return sessionBody(services, outcome.signedIn)
  throw new WireError(signInRefusals[outcome.kind])
}

async function grantByRefreshToken(
  request: FastifyRequest,
  services: EndpointServices,
): Promise<SessionBody> {
  const verdict = services.refreshTokenKey.read(readText(readFields(request), 'refresh_token') ?? '')
  if (!verdict.ok) {
    throw new WireError(
      verdict.reason === 'malformed' ? authErrors.refreshTokenMalformed : authErrors.refreshTokenNotFound,
    )
  }
  const outcome = await refresh(services.database, verdict.token)
  if (outcome.kind === 'refreshed') return sessionBody(services, outcome.signedIn)
  throw new WireError(refreshRefusals[outcome.kind])
}
