/** `POST /resend` (GoTrue, `api/resend.go`): the confirmation link once more. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { readEmail } from '#identity/email.ts'
import { authErrors } from './errors.ts'
import { sendFreshLink } from './mailed-link.ts'
import { redirectTarget } from './redirect.ts'
import { readFields, readQuery, readText } from './request-body.ts'
import type { EndpointServices } from './services.ts'

/** Answers `{}`, whether the address waits for its confirmation or not. */
export function addResend(app: FastifyInstance, services: EndpointServices): void {
  app.post('/resend', (request) => resend(request, services))
}

async function resend(request: FastifyRequest, services: EndpointServices) {
  const fields = readFields(request)
  if (readText(fields, 'type') !== 'signup') throw new WireError(authErrors.unsupportedResendType)
  const email = readEmail(fields['email'])
  if (email === null) throw new WireError(authErrors.invalidEmail)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  await sendFreshLink(services, { email, type: 'signup', redirectTo }, request.log)
  return {}
}
