/** `POST /recover` (GoTrue, `api/recover.go`): a link that leads to a new password. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { authErrors } from '#auth/errors.ts'
import { sendFreshLink } from '#auth/links/mailed-link.ts'
import { limitMails } from '#auth/rate-limits.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import { readAddress, readChallenge, readFields, readQuery, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'

/** Answers `{}`, whether the address is known or not. */
export function addRecover(app: FastifyInstance, services: AuthServices): void {
  app.post('/recover', (request) => recover(request, services))
}

async function recover(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  if (readText(fields, 'email') === null) throw new WireError(authErrors.recoveryNeedsEmail)
  const email = readAddress(fields)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const challenge = readChallenge(fields)
  await limitMails(services, request, { email, purpose: 'recovery' })
  await sendFreshLink(services, { email, type: 'recovery', redirectTo, challenge }, request.log)
  return {}
}
