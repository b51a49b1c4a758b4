/**
 * `/factors` (GoTrue, `api/mfa.go`): authenticator apps and passkeys as second factors. Three differences from GoTrue:
 * Adding or removing a factor requires a proof of presence, which is the password or a mailed link or code
 * (docs/decisions/0044). A user who has signed in through a recovery link but cannot use any factor can request the
 * removal of all factors. The server then answers 202 and removes the factors after 72 hours. A phone cannot be added
 * as a factor.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lacksSecondFactor } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import { enrollPasskey, enrollTotp, unenrollFactor } from '#people/factor/enrolment.ts'
import { type FactorsEnd, requestFactorsEnd } from '#people/factor/factor-end.ts'
import { totpEnrolment } from '#people/factor/totp.ts'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { noticeFactor } from '#auth/notices.ts'
import { limitUserChanges } from '#auth/rate-limits.ts'
import { type Fields, readFields, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import { factorIdOf } from './factor-challenge.ts'

const friendlyNameLengthMax = 100

/**
 * Adds the endpoints. Adding or removing a factor requires a proof of presence. A session of a user who already has a
 * factor must also have verified one of the user's factors.
 */
export function addFactors(app: FastifyInstance, services: AuthServices): void {
  app.post('/factors', (request) => enrol(request, services))
  app.delete('/factors/:id', (request, reply) => unenrol(request, reply, services))
}

async function enrol(request: FastifyRequest, services: AuthServices) {
  const { database, keys, config } = services
  const claims = await requireUser(request, services.tokenKey)
  const fields = readFields(request)
  const type = readFactorType(fields)
  const friendlyName = readFriendlyName(fields)
  const name = friendlyName === null ? {} : { friendly_name: friendlyName }
  await limitUserChanges(services, claims)
  if (type === 'webauthn') {
    const outcome = await enrollPasskey(database, { claims, friendlyName })
    if (outcome.kind !== 'enrolled') throw new WireError(refusals[outcome.kind])
    return { id: outcome.id, type, ...name }
  }
  const outcome = await enrollTotp(database, keys, { claims, friendlyName })
  if (outcome.kind !== 'enrolled') throw new WireError(refusals[outcome.kind])
  const issuer = readText(fields, 'issuer') ?? config.brandName
  const totp = totpEnrolment(outcome.secret, { issuer, label: claims.email })
  return { id: outcome.id, type, ...name, totp }
}

async function unenrol(request: FastifyRequest, reply: FastifyReply, services: AuthServices) {
  const claims = await requireUser(request, services.tokenKey)
  const id = factorIdOf(request)
  const removed = await unenrollFactor(services.database, claims, id).catch(async (error: unknown) => {
    const end = lacksSecondFactor(error) ? await requestFactorsEnd(services.database, claims) : null
    if (end === null) throw error
    return end
  })
  if (removed === null) throw new WireError(refusals['unknown factor'])
  if ('at' in removed) {
    noteEnd(request, services, removed, claims)
    return reply.code(202).send({ id, ends_at: removed.at })
  }
  if (removed.hasCounted) {
    const factor = removed.factorType === 'webauthn' ? 'passkey' : 'app'
    logEvent(request.log, 'second factor removed', { userId: claims.sub, factor })
    noticeFactor(services, request, { to: removed.email, event: { kind: `${factor} removed` } })
  }
  return { id }
}

/** Logs the first request for the removal of all factors, and mails the owner. Ignores repeated requests. */
function noteEnd(
  request: FastifyRequest,
  services: AuthServices,
  { at, email, isNew }: FactorsEnd,
  { sub: userId, session_id: sessionId }: AccessTokenClaims,
): void {
  if (!isNew) return
  logEvent(request.log, 'removal of second factors requested', { userId, sessionId })
  noticeFactor(services, request, { to: email, event: { kind: 'end asked for', at: new Date(at) } })
}

/**
 * Reads a factor's name; returns `null` if the request does not contain a name. Throws unless the name is empty or one
 * line of visible characters (security.md IN-05).
 */
export function readFriendlyName(fields: Fields): string | null {
  const name = readText(fields, 'friendly_name')?.normalize('NFC') ?? null
  if (name === null || name === '') return name
  if (!isPlainLine(name) || [...name].length > friendlyNameLengthMax)
    throw new WireError(authErrors.invalidFriendlyName)
  return name
}

function readFactorType(fields: Fields): 'totp' | 'webauthn' {
  const type = readText(fields, 'factor_type')
  if (type === 'phone') throw new WireError(authErrors.phoneFactorDisabled)
  if (type !== 'totp' && type !== 'webauthn') throw new WireError(authErrors.factorTypeUnknown)
  return type
}
