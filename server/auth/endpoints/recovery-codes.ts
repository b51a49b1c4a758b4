/**
 * `/factors/recovery-codes`: printed codes as a backup for an authenticator app or a passkey (`mfa.recoveryCodes` of
 * the newest client). An account can have recovery codes only if it also has another factor.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SqlError } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import {
  type RecoveryCodes,
  makeRecoveryCodes,
  recoveryCodeMac,
  recoveryCodesStatus,
  removeRecoveryCodes,
} from '#people/factor/recovery-code-set.ts'
import { type FactorOutcome, verifyRecoveryCode } from '#people/factor/factor-verification.ts'
import { requireUser } from '#auth/authenticate.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { noticeFactor } from '#auth/notices.ts'
import { raisedSession } from './factor-challenge.ts'
import { readFriendlyName } from './factors.ts'
import { readFields, readText } from '#auth/request-body.ts'
import type { AuthServices } from '#auth/services.ts'
import type { SessionBody } from '#auth/session-body.ts'

const defaultName = 'Recovery codes'

/**
 * Adds the endpoints. Creating or removing recovery codes requires a proof of presence (the password or a mailed link
 * or code) and a session that has verified a second factor. The codes are shown only once, in the answer to the request
 * that creates them.
 */
export function addRecoveryCodes(app: FastifyInstance, services: AuthServices): void {
  app.get('/factors/recovery-codes', (request) => status(request, services))
  app.post('/factors/recovery-codes', (request) => generate(request, services))
  app.post('/factors/recovery-codes/regenerate', (request) => regenerate(request, services))
  app.post('/factors/recovery-codes/verify', (request) => verify(request, services))
  app.delete('/factors/recovery-codes', (request) => remove(request, services))
}

async function status(request: FastifyRequest, { database, tokenKey }: AuthServices) {
  const claims = await requireUser(request, tokenKey)
  const found = await recoveryCodesStatus(database, claims)
  if (found === null) throw new WireError(refusals['unknown factor'])
  return { id: found.id, type: 'recovery_code', total: found.total, remaining: found.remaining }
}

async function generate(request: FastifyRequest, services: AuthServices) {
  const { database, keys, tokenKey } = services
  const claims = await requireUser(request, tokenKey)
  // The client sends a body only to give the set of codes a name.
  const friendlyName =
    (request.body === undefined ? null : readFriendlyName(readFields(request))) ?? defaultName
  try {
    const made = await makeRecoveryCodes(database, keys, { claims, friendlyName, mustExist: false })
    if (made === null) throw new WireError(authErrors.recoveryCodesAlone)
    return madeCodes(request, services, made, claims)
  } catch (error) {
    if (!(error instanceof SqlError) || error.sqlState !== '23505') throw error
    const isNameTaken = error.constraint === 'mfa_factors_friendly_name_key'
    throw new WireError(isNameTaken ? refusals['factor name taken'] : authErrors.recoveryCodesExist, {
      cause: error,
    })
  }
}

async function regenerate(request: FastifyRequest, services: AuthServices) {
  const { database, keys, tokenKey } = services
  const claims = await requireUser(request, tokenKey)
  const made = await makeRecoveryCodes(database, keys, { claims, friendlyName: null, mustExist: true })
  if (made === null) throw new WireError(refusals['unknown factor'])
  return madeCodes(request, services, made, claims)
}

async function verify(request: FastifyRequest, services: AuthServices): Promise<SessionBody> {
  const { database, keys, tokenKey } = services
  const claims = await requireUser(request, tokenKey)
  const code = readText(readFields(request), 'code')
  if (code === null) throw new WireError(authErrors.missingCode)
  const found = await recoveryCodesStatus(database, claims)
  const codeMac = recoveryCodeMac(keys, claims.sub, code)
  // An account without codes gets the same answer as a wrong code.
  const outcome: FactorOutcome =
    found === null
      ? { kind: 'wrong code' }
      : await verifyRecoveryCode(database, { claims, factorId: found.id, codeMac })
  if (outcome.kind === 'verified')
    noticeFactor(services, request, {
      to: outcome.signedIn.user.email,
      event: { kind: 'recovery code used' },
    })
  return raisedSession(services, outcome, {
    log: request.log,
    claims,
    factor: 'recovery code',
    wrong: authErrors.recoveryCodeInvalid,
    locked: authErrors.recoveryCodesLocked,
  })
}

async function remove(request: FastifyRequest, { database, tokenKey }: AuthServices) {
  const claims = await requireUser(request, tokenKey)
  const id = await removeRecoveryCodes(database, claims)
  if (id === null) throw new WireError(refusals['unknown factor'])
  logEvent(request.log, 'recovery codes removed', { userId: claims.sub })
  return { id }
}

function madeCodes(
  request: FastifyRequest,
  services: AuthServices,
  { id, friendlyName, codes, undoToken, email }: RecoveryCodes,
  claims: AccessTokenClaims,
) {
  logEvent(request.log, 'recovery codes made', { userId: claims.sub })
  noticeFactor(services, request, { to: email, event: { kind: 'recovery codes made' }, undoToken })
  return {
    id,
    type: 'recovery_code',
    ...(friendlyName === null ? {} : { friendly_name: friendlyName }),
    total: codes.length,
    codes,
  }
}
