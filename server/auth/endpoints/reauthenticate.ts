/** `GET /reauthenticate` (GoTrue, `api/reauthenticate.go`): six digits to the user's own address. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { makeNonce } from '#identity/password/reauthentication-code.ts'
import { reauthenticationMail } from '#mail/templates.ts'
import { requireUser } from '#auth/authenticate.ts'
import { incidentOf, noticeOf } from '#auth/notices.ts'
import { limitMails } from '#auth/rate-limits.ts'
import type { AuthServices } from '#auth/services.ts'

/** Answers `{}`; the digits are the `nonce` of `PUT /user`. */
export function addReauthenticate(app: FastifyInstance, services: AuthServices): void {
  app.get('/reauthenticate', (request) => reauthenticate(request, services))
}

async function reauthenticate(request: FastifyRequest, services: AuthServices) {
  const { database, keys, mailer } = services
  const claims = await requireUser(request, services.tokenKey)
  await limitMails(services, request, { email: claims.email, purpose: 'reauthentication', claims })
  const { email, code } = await makeNonce(database, keys, claims)
  const mail = reauthenticationMail({ ...noticeOf(services, email, incidentOf(request)), code })
  services.backgroundTasks.run(() => mailer.send(mail), request.log)
  return {}
}
