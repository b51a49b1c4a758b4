/**
 * `GET` and `POST /verify` (GoTrue, `api/verify.go`): a mailed link signs in. As upstream, following the
 * link is enough, so a mail scanner that opens links spends it; `HEAD` does not.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { readEmail } from '#identity/email.ts'
import type { OneTimeTokenType } from '#identity/one-time-tokens.ts'
import { redeem } from '#identity/redeem.ts'
import { deviceOf } from './device.ts'
import { asWireError } from './error-answer.ts'
import { authErrors } from './errors.ts'
import { errorRedirect, redirectTarget, sessionRedirect } from './redirect.ts'
import { readFields, readQuery, readText } from './request-body.ts'
import type { EndpointServices } from './services.ts'
import { type SessionBody, sessionBody } from './session-body.ts'

/** What clients call them → what was mailed. `email` means whatever a new or known address was sent. */
const verificationTypes: ReadonlyMap<string, OneTimeTokenType> = new Map([
  ['signup', 'signup'],
  ['email', 'signup'],
  ['recovery', 'recovery'],
])

/** `GET` redirects to the page with the session, or the refusal, in the fragment; `POST` answers a session. */
export function addVerify(app: FastifyInstance, services: EndpointServices): void {
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) =>
    reply.redirect(await followLink(request, services), 303),
  )
  app.post('/verify', (request) => verifyToken(request, services))
}

async function followLink(request: FastifyRequest, services: EndpointServices): Promise<string> {
  const target = redirectTarget(readQuery(request, 'redirect_to'), services)
  try {
    const type = readQuery(request, 'type')
    const token = readQuery(request, 'token')
    if (token === null) throw new WireError(authErrors.missingToken)
    const link = { token, type: verificationType(type), email: null, device: deviceOf(request) }
    const session = await open(services, link)
    if (session === null) throw new WireError(authErrors.linkExpired)
    return sessionRedirect(target, session, type ?? '')
  } catch (error) {
    const refusal = asWireError(error)
    // A person is looking at a browser: trouble of ours is shown by the page too.
    if (refusal.status >= 500) request.log.error(error)
    return errorRedirect(target, refusal)
  }
}

async function verifyToken(request: FastifyRequest, services: EndpointServices): Promise<SessionBody> {
  const fields = readFields(request)
  const type = verificationType(readText(fields, 'type'))
  const hash = readText(fields, 'token_hash')
  const token = hash ?? readText(fields, 'token')
  if (token === null) throw new WireError(authErrors.missingToken)
  const email = hash === null ? readEmail(fields['email']) : null
  if (hash === null && email === null) throw new WireError(authErrors.missingTokenOwner)
  const session = await open(services, { token, type, email, device: deviceOf(request) })
  if (session === null) {
    throw new WireError(hash === null ? authErrors.tokenExpired : authErrors.linkExpired)
  }
  return session
}

async function open(
  services: EndpointServices,
  link: Parameters<typeof redeem>[1],
): Promise<SessionBody | null> {
  const signedIn = await redeem(services.database, link)
  return signedIn === null ? null : sessionBody(services, signedIn)
}

function verificationType(name: string | null): OneTimeTokenType {
  if (name === null) throw new WireError(authErrors.missingVerificationType)
  const type = verificationTypes.get(name)
  if (type === undefined) throw new WireError(authErrors.unsupportedVerificationType)
  return type
}
