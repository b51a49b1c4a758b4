/**
 * `GET` and `PUT /user` (GoTrue, `api/user.go`). A new address takes effect after both addresses have confirmed the
 * change. The answer does not reveal whether the new address is taken. A new password requires the current password, a
 * recovery link or a mailed code (docs/decisions/0021). If a request contains the current password or a mailed code but
 * no new password, it gives the session a *proof of presence* for later requests (0044). A change of address that the
 * bank requested takes effect at once if the new mailbox has confirmed the change and the session has a proof of
 * presence (0060). The endpoint refuses phone numbers and fields that only the server may write.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { mailEmailChange, newEmailChange } from '#auth/links/mailed-link.ts'
import { redirectTarget } from '#auth/links/redirect.ts'
import { incidentOf, noticeOf } from '#auth/notices.ts'
import { limitCodes, limitMails, limitPasswordChecks, limitUserChanges } from '#auth/rate-limits.ts'
import { type Fields, readFields, readQuery, readText } from '#auth/request-body.ts'
import { readAddress, readChallenge, readUserMetadata } from '#auth/user-fields.ts'
import type { AuthServices } from '#auth/services.ts'
import { userBody } from '#auth/user-body.ts'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import { type ChangeOutcome, type UserChange, changeUser, readSignedInUser } from '#people/change-user.ts'
import type { EmailChange } from '#people/email-change.ts'
import { oneTimeCodeMac } from '#people/one-time-tokens.ts'
import { makeNonce } from '#people/password/password-proof.ts'
import { passwordChangedMail, reauthenticationMail } from '#mail/templates.ts'

export function addUser(app: FastifyInstance, services: AuthServices): void {
  app.get('/user', (request) => getUser(request, services))
  app.put('/user', { config: { isUrgent: true } }, (request) => putUser(request, services))
  app.get('/reauthenticate', (request) => reauthenticate(request, services))
}

async function getUser(request: FastifyRequest, { database, tokenKey }: AuthServices) {
  const claims = await requireUser(request, tokenKey)
  return userBody(await readSignedInUser(database, claims))
}

async function putUser(request: FastifyRequest, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  const fields = readFields(request)
  refuseForeignFields(fields)
  const email = readNewEmail(fields)
  const next = readText(fields, 'password')
  // Runs before the attempt is counted and before a code is used up, so that the user can try another password at once.
  if (next !== null) services.passwords.check(next, { email: claims.email })
  const proof = readProof(fields, services, claims)
  const costsHashes = next !== null || proof.currentPassword !== null
  if (costsHashes) services.passwords.requireRoom()
  const change = { data: readUserMetadata(fields), email, password: next, proof }
  // An empty request writes the account too. A request with a password or an address has a limit of its own, so that a
  // thief who uses this limit up does not keep the owner from changing the password.
  if (change.data !== null || !(costsHashes || email !== null)) await limitUserChanges(services, claims)
  if (email !== null)
    await limitMails(services, request, { email: email.email, purpose: 'email change', claims })
  // Limits the rate of these requests, because they compute password hashes in the pool that all sign-ins share.
  if (costsHashes) await limitPasswordChecks(services, claims.session_id)
  const refund = proof.nonceMac === null ? null : await limitCodes(services, { claims })
  const outcome = await changeUser(services.database, services.passwords, { claims, change })
  if (outcome.kind !== 'wrong nonce') await refund?.()
  logChange(request, claims, { change, outcome })
  if (outcome.kind !== 'changed') throw new WireError(refusals[outcome.kind])
  const { user, isEmailAsked, isEmailTaken, isEmailAccepted } = outcome
  if (isEmailAccepted) {
    logEvent(request.log, 'email changed', { userId: claims.sub })
    services.mailer.deliverSoon()
  }
  const redirectTo = redirectTarget(readQuery(request, 'redirect_to'), services)
  const incident = incidentOf(request)
  services.backgroundTasks.run(async () => {
    if (email !== null && isEmailAsked)
      await mailEmailChange(services, {
        change: email,
        currentEmail: user.email,
        redirectTo,
        incident,
        isTaken: isEmailTaken,
      })
    if (next !== null)
      await services.mailer.send(passwordChangedMail(noticeOf(services, user.email, incident)))
  }, request.log)
  return userBody(user)
}

function logChange(
  { log }: FastifyRequest,
  { sub: userId, session_id: sessionId }: AccessTokenClaims,
  { change, outcome }: { change: UserChange; outcome: ChangeOutcome },
): void {
  const isProven = change.proof.currentPassword !== null || change.proof.nonceMac !== null
  if (change.password === null && !isProven) return
  if (outcome.kind === 'changed')
    logEvent(log, change.password === null ? 'reauthentication accepted' : 'password changed', {
      userId,
      sessionId,
    })
  else
    logEvent(log, change.password === null ? 'reauthentication refused' : 'password change refused', {
      userId,
      sessionId,
      reason: outcome.kind,
    })
}

function refuseForeignFields(fields: Fields): void {
  if (fields['app_metadata'] !== undefined && fields['app_metadata'] !== null)
    throw new WireError(authErrors.notAdmin)
  if (readText(fields, 'phone') !== null) throw new WireError(authErrors.phoneDisabled)
}

function readNewEmail(fields: Fields): EmailChange | null {
  if (readText(fields, 'email') === null) return null
  return newEmailChange(readAddress(fields), readChallenge(fields))
}

function readProof(fields: Fields, { keys }: AuthServices, claims: AccessTokenClaims) {
  const nonce = readText(fields, 'nonce')
  return {
    currentPassword: readText(fields, 'current_password'),
    nonceMac: nonce === null ? null : oneTimeCodeMac(keys, nonce, claims.sub),
  }
}

/**
 * Mails a six-digit code to the user's current address (GoTrue, `api/reauthenticate.go`). The client sends the code
 * back as `nonce` in `PUT /user`.
 */
async function reauthenticate(request: FastifyRequest, services: AuthServices) {
  const { database, keys, mailer } = services
  const claims = await requireUser(request, services.tokenKey)
  await limitMails(services, request, { email: claims.email, purpose: 'reauthentication', claims })
  const { email, code } = await makeNonce(database, keys, claims)
  const mail = reauthenticationMail({ ...noticeOf(services, email, incidentOf(request)), code })
  services.backgroundTasks.run(() => mailer.send(mail), request.log)
  return {}
}
