/**
 * `POST /signup` (GoTrue, `api/signup.go`). The answer depends only on the request and therefore does not reveal
 * whether the address is taken.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { logEvent } from '#http/events.ts'
import { networkOf } from '#http/network.ts'
import { WireError } from '#http/wire-error.ts'
import { type SignUp, signUp, signUpConfirmed } from '#people/sign-up.ts'
import { authErrors } from '#auth/errors.ts'
import { mailLink } from '#auth/links/mailed-link.ts'
import { limitSignUps } from '#auth/rate-limits.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import { readAddress, readChallenge, readUserMetadata } from '#auth/user-fields.ts'
import { readFields, readQuery, readText, requireEmail } from '#auth/request-body.ts'
import { deviceOf } from '#auth/device.ts'
import type { AuthServices } from '#auth/services.ts'
import { type SessionBody, newSessionBody } from '#auth/session-body.ts'
import type { SignInTurn } from '#auth/sign-in-turns.ts'
import { signUpBody } from '#auth/sign-up-body.ts'

/** Answers with the unconfirmed user, or with a session if `AUTH_AUTOCONFIRM` is set. */
export function addSignup(app: FastifyInstance, services: AuthServices): void {
  app.post('/signup', (request) => {
    const wanted = readSignUp(request)
    // Runs before the attempt is counted, so that the user can try another password at once.
    services.passwords.check(wanted.password, wanted)
    const answer = services.config.autoconfirm ? openAtOnce : askForConfirmation
    return services.signInTurns.run(turnOf(request), () => answer(request, services, wanted))
  })
}

/** All sign-ups from one network count as one account. Their owner has not signed in before. */
function turnOf({ ip }: FastifyRequest): SignInTurn {
  return { network: networkOf(ip), account: 'sign-up', isKnownThere: () => Promise.resolve(false) }
}

async function askForConfirmation(
  request: FastifyRequest,
  services: AuthServices,
  wanted: SignUp,
): Promise<Record<string, unknown>> {
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const challenge = readChallenge(readFields(request))
  await limitSignUps(services, request, wanted.email)
  const outcome = await signUp(services.database, services.passwords, { ...wanted, challenge })
  if (outcome.kind === 'taken') {
    logEvent(request.log, 'sign-up with a taken address')
    return signUpBody(wanted)
  }
  logEvent(request.log, 'signed up', { userId: outcome.userId })
  const link = { email: wanted.email, token: outcome.token, code: '', type: 'signup', redirectTo } as const
  services.backgroundTasks.run(() => mailLink(services, link), request.log)
  return signUpBody(wanted)
}

async function openAtOnce(
  request: FastifyRequest,
  services: AuthServices,
  wanted: SignUp,
): Promise<SessionBody> {
  const device = deviceOf(request)
  const signedIn = await signUpConfirmed(services.database, services.passwords, { ...wanted, device })
  if (signedIn === null) {
    logEvent(request.log, 'sign-up with a taken address')
    throw new WireError(authErrors.userAlreadyExists)
  }
  logEvent(request.log, 'signed up', { userId: signedIn.user.id })
  return newSessionBody(request, services, signedIn)
}

/** Reads the sign-up. Ignores fields that a client is not allowed to set, such as a role or `app_metadata`. */
function readSignUp(request: FastifyRequest): SignUp {
  const fields = readFields(request)
  requireEmail(fields, authErrors.anonymousDisabled)
  const password = readText(fields, 'password')
  if (password === null) throw new WireError(authErrors.missingPassword)
  return { email: readAddress(fields), password, userMetadata: readUserMetadata(fields) ?? {} }
}
