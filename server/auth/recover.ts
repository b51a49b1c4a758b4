/** `POST /recover` (GoTrue, `api/recover.go`): a link for whoever forgot their password. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { readEmail } from '#identity/email.ts'
import { authErrors } from './errors.ts'
import { redirectTarget } from './redirect.ts'
import { readFields, readQuery, readText } from './request-body.ts'
import { sendFreshLink } from './mailed-link.ts'
import type { EndpointServices } from './services.ts'

/** Answers `{}`, whether the address is known or not. */
export function addRecover(app: FastifyInstance, services: EndpointServices): void {
  app.post('/recover', (request) => recover(request, services))
}

async function recover(request: FastifyRequest, services: EndpointServices) {
  const address = readText(readFields(request), 'email')
  if (address === null) throw new WireError(authErrors.recoveryNeedsEmail)
  const email = readEmail(address)
  if (email === null) throw new WireError(authErrors.invalidEmail)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  await sendFreshLink(services, { email, type: 'recovery', redirectTo }, request.log)
  return {}
}
