/**
 * `POST /otp` and its old name `POST /magiclink` (GoTrue, `api/otp.go`): a link, and six digits, that sign in.
 * Differs: an unknown address with `create_user: false` is answered like any other.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { openAccount } from '#identity/open-account.ts'
import { authErrors } from '#auth/errors.ts'
import { makeAndMailLink, sendFreshLink } from '#auth/links/mailed-link.ts'
import { limitMails } from '#auth/rate-limits.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import {
  readAddress,
  readChallenge,
  readFields,
  readFlag,
  readQuery,
  readText,
  readUserMetadata,
} from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'

/** Answers `{}`, whether the address is known or not. */
export function addOtp(app: FastifyInstance, services: AuthServices): void {
  app.post('/otp', (request) => sendOtp(request, services))
  app.post('/magiclink', (request) => sendOtp(request, services))
}

async function sendOtp(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  if (readText(fields, 'email') === null) {
    const isPhone = readText(fields, 'phone') !== null
    throw new WireError(isPhone ? authErrors.phoneDisabled : authErrors.missingEmail)
  }
  const email = readAddress(fields)
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const link = { email, type: 'magiclink', redirectTo, challenge: readChallenge(fields) } as const
  const userMetadata = readUserMetadata(fields) ?? {}
  const mayOpen = fields['create_user'] === undefined || readFlag(fields, 'create_user')
  await limitMails(services, request, { email, purpose: 'magic link' })
  if (!mayOpen) {
    await sendFreshLink(services, link, request.log)
    return {}
  }
  services.backgroundTasks.run(async () => {
    await openAccount(services.database, { email, passwordHash: null, userMetadata })
    await makeAndMailLink(services, link)
  }, request.log)
  return {}
}
