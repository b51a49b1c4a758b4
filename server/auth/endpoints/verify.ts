/**
 * `GET` and `POST /verify` (GoTrue, `api/verify.go`): a mailed link signs the user in. Like upstream, a `GET` uses up
 * the link, even if a mail scanner sends the request. A `HEAD` does not use up the link. A link that opens the bank's
 * own page is used up only by the `POST` that this page sends. A `POST` also accepts the tokens in notices
 * (`links/notice-link.ts`).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import { type OneTimeTokenType, oneTimeCodeMac } from '#people/one-time-tokens.ts'
import type { VerificationType } from '#mail/link-address.ts'
import { type Credential, type Redemption, redeem } from '#people/session/redeem.ts'
import { asWireError } from '#auth/error-answer.ts'
import { authErrors } from '#auth/errors.ts'
import { answerNotice } from '#auth/links/notice-link.ts'
import {
  codeRedirect,
  errorRedirect,
  messageRedirect,
  redirectTarget,
  sessionRedirect,
} from '#auth/links/redirect.ts'
import { limitCodes } from '#auth/rate-limits.ts'
import { deviceOf } from '#auth/device.ts'
import { type Fields, readFields, readQuery, readText } from '#auth/request-body.ts'
import { readAddress } from '#auth/user-fields.ts'
import type { AuthServices } from '#auth/services.ts'
import { type SessionBody, newSessionBody } from '#auth/session-body.ts'

/**
 * Maps the `type` in a client's request to the token types that are accepted for it. `email` stands for a sign-up or a
 * magic link.
 */
const verificationTypes: ReadonlyMap<string, readonly OneTimeTokenType[]> = new Map<
  VerificationType | 'email',
  readonly OneTimeTokenType[]
>([
  ['signup', ['signup']],
  ['magiclink', ['magiclink']],
  ['email', ['signup', 'magiclink']],
  ['recovery', ['recovery']],
  ['invite', ['invite']],
  ['email_change', ['email_change_current', 'email_change_new']],
])

const partlyConfirmedMessage =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/**
 * Adds the endpoints. `GET` redirects to the page with the session or the refusal in the fragment; `POST` returns the
 * session.
 */
export function addVerify(app: FastifyInstance, services: AuthServices): void {
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) =>
    reply.redirect(await followLink(request, services), 303),
  )
  app.post('/verify', (request) => verifyToken(request, services))
}

async function followLink(request: FastifyRequest, services: AuthServices): Promise<string> {
  const target = redirectTarget(readQuery(request, 'redirect_to'), services)
  const token = readQuery(request, 'token')
  try {
    const type = readQuery(request, 'type')
    if (token === null) throw new WireError(authErrors.missingToken)
    const types = typesOf(type)
    const redemption = await redeem(services.database, {
      credential: { token, email: null },
      types,
      device: deviceOf(request),
      canAnswerCode: true,
    })
    logRedemption(request, types, redemption)
    if (redemption.kind === 'refused') throw new WireError(authErrors.linkExpired)
    if (redemption.kind === 'partly confirmed') return messageRedirect(target, partlyConfirmedMessage)
    if (redemption.kind === 'code') return codeRedirect(target, redemption.authCode)
    return sessionRedirect(
      target,
      await newSessionBody(request, services, redemption.signedIn),
      shownType(type, redemption),
    )
  } catch (error) {
    const refusal = asWireError(error)
    // A user follows the link in a browser; therefore internal errors also redirect to the page, which shows them.
    if (refusal.status >= 500) request.log.error(error, 'authentication surface failed')
    return errorRedirect(target, refusal, { isPkce: token?.startsWith('pkce_') === true })
  }
}

async function verifyToken(
  request: FastifyRequest,
  services: AuthServices,
): Promise<SessionBody | { msg: string; code: string }> {
  const fields = readFields(request)
  const type = readText(fields, 'type')
  const types = typesOf(type)
  const isHash = readText(fields, 'token_hash') !== null
  const credential = readCredential(fields, services)
  const device = deviceOf(request)
  if ('token' in credential && credential.email === null) {
    const msg = await answerNotice(request, services, { type, token: credential.token })
    if (msg !== null) return { msg, code: '200' }
  }
  const refund = 'codeMac' in credential ? await limitCodes(services, credential) : null
  const redemption = await redeem(services.database, { credential, types, device, canAnswerCode: false })
  logRedemption(request, types, redemption)
  if (redemption.kind !== 'refused') await refund?.()
  if (redemption.kind === 'partly confirmed') return { msg: partlyConfirmedMessage, code: '200' }
  if (redemption.kind === 'signed in') return newSessionBody(request, services, redemption.signedIn)
  throw new WireError(isHash ? authErrors.linkExpired : authErrors.tokenExpired)
}

function logRedemption(
  { log }: FastifyRequest,
  types: readonly OneTimeTokenType[],
  redemption: Redemption,
): void {
  if (redemption.kind === 'refused') logEvent(log, 'link refused', { type: types.join(' ') })
  // Under PKCE, the server does not know the user until the client exchanges the code.
  const userId = redemption.kind === 'signed in' ? redemption.signedIn.user.id : null
  const isDone = redemption.kind === 'signed in' || redemption.kind === 'code'
  if (isDone && types.includes('email_change_new')) logEvent(log, 'email changed', { userId })
}

/**
 * Reads a `token_hash`, or a `token` together with the address to which it was mailed. A `token` is either a link's
 * token or a six-digit code.
 */
function readCredential(fields: Fields, { keys }: AuthServices): Credential {
  const hash = readText(fields, 'token_hash')
  if (hash !== null) return { token: hash, email: null }
  const typed = readText(fields, 'token')
  if (typed === null) throw new WireError(authErrors.missingToken)
  if (readText(fields, 'email') === null) throw new WireError(authErrors.missingTokenOwner)
  const email = readAddress(fields)
  return /^\d{6}$/.test(typed)
    ? { codeMac: oneTimeCodeMac(keys, typed, email), email }
    : { token: typed, email }
}

/** Returns the link's type, but `recovery` for any link after which the user must first choose a password. */
function shownType(type: string | null, { method }: Redemption & { kind: 'signed in' }): string {
  return method === 'recovery' ? 'recovery' : (type ?? '')
}

function typesOf(name: string | null): readonly OneTimeTokenType[] {
  if (name === null) throw new WireError(authErrors.missingVerificationType)
  const types = verificationTypes.get(name)
  if (types === undefined) throw new WireError(authErrors.unsupportedVerificationType)
  return types
}
