/** `POST /signup` (GoTrue, `api/signup.go`). The answer does not tell whether the address is taken. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { readEmail } from '#identity/email.ts'
import { type SignUp, signUp, signUpConfirmed } from '#identity/sign-up.ts'
import { deviceOf } from './device.ts'
import { authErrors } from './errors.ts'
import { mailLink } from './mailed-link.ts'
import { redirectTarget } from './redirect.ts'
import { readFields, readQuery, readText, readUserMetadata } from './request-body.ts'
import type { EndpointServices } from './services.ts'
import { type SessionBody, sessionBody } from './session-body.ts'
import { fakeUserBody, userBody } from './user-body.ts'

/** Answers a user whose address is still to be confirmed, or with `AUTH_AUTOCONFIRM` a session. */
export function addSignup(app: FastifyInstance, services: EndpointServices): void {
  app.post('/signup', (request) =>
    services.config.autoconfirm ? openAtOnce(request, services) : askForConfirmation(request, services),
  )
}

async function askForConfirmation(
  request: FastifyRequest,
  services: EndpointServices,
): Promise<Record<string, unknown>> {
  const wanted = readSignUp(request)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const outcome = await signUp(services.database, services.passwords, wanted)
  if (outcome.kind === 'taken') return fakeUserBody({ ...wanted, id: randomUUID(), at: new Date() })
  const link = { email: wanted.email, token: outcome.token, type: 'signup', redirectTo } as const
  services.afterAnswer.run(() => mailLink(services, link), request.log)
  return userBody(outcome.user)
}

async function openAtOnce(request: FastifyRequest, services: EndpointServices): Promise<SessionBody> {
  const wanted = readSignUp(request)
  const device = deviceOf(request)
  const signedIn = await signUpConfirmed(services.database, services.passwords, { ...wanted, device })
  if (signedIn === null) throw new WireError(authErrors.userAlreadyExists)
  return sessionBody(services, signedIn)
}

/** Everything else that a client sends along (a role, `app_metadata`) is not looked at. */
function readSignUp(request: FastifyRequest): SignUp {
  const fields = readFields(request)
  const address = readText(fields, 'email')
  if (address === null) {
    const isPhone = readText(fields, 'phone') !== null
    throw new WireError(isPhone ? authErrors.phoneDisabled : authErrors.anonymousDisabled)
  }
  const password = readText(fields, 'password')
  if (password === null) throw new WireError(authErrors.missingPassword)
  const email = readEmail(address)
  if (email === null) throw new WireError(authErrors.invalidEmail)
  return { email, password, userMetadata: readUserMetadata(fields) ?? {} }
}
