/** `POST /resend` (GoTrue, `api/resend.go`): the links of a sign-up or of a change of address once more. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { pendingEmailChange, renewEmailChange } from '#identity/email-change.ts'
import type { CodeChallenge } from '#identity/session/pkce.ts'
import { mailEmailChange, newEmailChange } from '#auth/links/email-change-links.ts'
import { authErrors } from '#auth/errors.ts'
import { sendFreshLink } from '#auth/links/mailed-link.ts'
import { incidentOf } from '#auth/notices.ts'
import { limitMails } from '#auth/rate-limits.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import { readAddress, readChallenge, readFields, readQuery, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'

/** Answers `{}`, whether the address waits for a confirmation or not. */
export function addResend(app: FastifyInstance, services: AuthServices): void {
  app.post('/resend', (request) => resend(request, services))
}

async function resend(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  const type = readText(fields, 'type')
  if (type !== 'signup' && type !== 'email_change') throw new WireError(authErrors.unsupportedResendType)
  const email = readAddress(fields)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const challenge = readChallenge(fields)
  await limitMails(services, request, { email, purpose: type === 'signup' ? 'sign-up' : 'email change' })
  if (type === 'signup') await sendFreshLink(services, { email, type, redirectTo, challenge }, request.log)
  else await resendEmailChange(request, services, { email, redirectTo, challenge })
  return {}
}

async function resendEmailChange(
  request: FastifyRequest,
  services: AuthServices,
  { email, redirectTo, challenge }: { email: string; redirectTo: string; challenge: CodeChallenge | null },
): Promise<void> {
  const pending = await pendingEmailChange(services.database, email)
  if (pending === null) return
  const { userId, next, agreed, isTaken } = pending
  const incident = incidentOf(request)
  services.backgroundTasks.run(async () => {
    // The request needs no session: an agreement that was given stays.
    const change = newEmailChange(next, challenge, agreed)
    await renewEmailChange(services.database, userId, change)
    await mailEmailChange(services, { change, currentEmail: email, redirectTo, incident, isTaken })
  }, request.log)
}
