/**
 * Requests for a link: `POST /recover`, `/resend`, `/otp` and its old name `/magiclink` (GoTrue, `api/recover.go`,
 * `api/resend.go`, `api/otp.go`). Each endpoint answers `{}` for known and unknown addresses alike. This also holds for
 * `create_user: false`, although GoTrue answers such a request for an unknown address with an error.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authErrors } from '#auth/errors.ts'
import { mailEmailChange, makeAndMailLink, newEmailChange, sendFreshLink } from '#auth/links/mailed-link.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import { incidentOf } from '#auth/notices.ts'
import { limitMails } from '#auth/rate-limits.ts'
import { type Fields, readFields, readFlag, readQuery, readText, requireEmail } from '#auth/request-body.ts'
import { readAddress, readChallenge, readUserMetadata } from '#auth/user-fields.ts'
import type { AuthServices } from '#auth/services.ts'
import { WireError } from '#http/wire-error.ts'
import { pendingEmailChange, renewEmailChange } from '#people/email-change.ts'
import { openAccount } from '#people/sign-up.ts'

export function addMailedLinks(app: FastifyInstance, services: AuthServices): void {
  app.post('/recover', (request) => recover(request, services))
  app.post('/resend', (request) => resend(request, services))
  app.post('/otp', (request) => sendOtp(request, services))
  app.post('/magiclink', (request) => sendOtp(request, services))
}

/** Reads the fields that all requests for a link have in common. */
function readLink(fields: Fields, request: FastifyRequest, services: AuthServices) {
  return {
    email: readAddress(fields),
    redirectTo: redirectTarget(readQuery(request, 'redirect_to'), services),
    challenge: readChallenge(fields),
  }
}

async function recover(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  if (readText(fields, 'email') === null) throw new WireError(authErrors.recoveryNeedsEmail)
  const link = { ...readLink(fields, request, services), type: 'recovery' } as const
  await limitMails(services, request, { email: link.email, purpose: 'recovery' })
  await sendFreshLink(services, link, request.log)
  return {}
}

/** Resends the links for a sign-up or for an address change. */
async function resend(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  const type = readText(fields, 'type')
  if (type !== 'signup' && type !== 'email_change') throw new WireError(authErrors.unsupportedResendType)
  const link = readLink(fields, request, services)
  const purpose = type === 'signup' ? 'sign-up' : 'email change'
  await limitMails(services, request, { email: link.email, purpose })
  if (type === 'signup') await sendFreshLink(services, { ...link, type }, request.log)
  else await resendEmailChange(request, services, link)
  return {}
}

async function resendEmailChange(
  request: FastifyRequest,
  services: AuthServices,
  { email, redirectTo, challenge }: ReturnType<typeof readLink>,
): Promise<void> {
  const pending = await pendingEmailChange(services.database, email)
  if (pending === null) return
  const { userId, next, agreed, isTaken } = pending
  const incident = incidentOf(request)
  services.backgroundTasks.run(async () => {
    // If one of the two addresses has already confirmed the change, this confirmation stays valid. A stranger, who
    // needs no session for this request, must not be able to cancel the confirmation.
    const change = newEmailChange(next, challenge, agreed)
    await renewEmailChange(services.database, userId, change)
    await mailEmailChange(services, { change, currentEmail: email, redirectTo, incident, isTaken })
  }, request.log)
}

/** Mails a link and a six-digit code; the user can sign in with either of them. */
async function sendOtp(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  requireEmail(fields, authErrors.missingEmail)
  const link = { ...readLink(fields, request, services), type: 'magiclink' } as const
  const { email } = link
  const userMetadata = readUserMetadata(fields) ?? {}
  const mayOpen = fields['create_user'] === undefined || readFlag(fields, 'create_user')
  await limitMails(services, request, { email, purpose: 'magic link' })
  if (!mayOpen) {
    await sendFreshLink(services, link, request.log)
    return {}
  }
  services.backgroundTasks.run(async () => {
    await openAccount(services.database, { email, passwordHash: null, userMetadata, isOwn: true })
    await makeAndMailLink(services, link)
  }, request.log)
  return {}
}
