/**
 * `GET` and `PUT /user` (GoTrue, `api/user.go`). Refused: another address, a phone, and whatever only the
 * server may write.
 */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WireError } from '#http/wire-error.ts'
import { type UserChange, changeUser, readSignedInUser } from '#identity/change-user.ts'
import { readEmail } from '#identity/email.ts'
import { requireUser } from './bearer-user.ts'
import { authErrors } from './errors.ts'
import { type Fields, readFields, readText, readUserMetadata } from './request-body.ts'
import type { EndpointServices } from './services.ts'
import { userBody } from './user-body.ts'

const changeRefusals = {
  'same password': authErrors.samePassword,
  'too much data': authErrors.invalidData,
} as const

/** Both answer the user as the database has them now. */
export function addUser(app: FastifyInstance, services: EndpointServices): void {
  app.get('/user', (request) => getUser(request, services))
  app.put('/user', (request) => putUser(request, services))
}

async function getUser(request: FastifyRequest, { database, tokenKey }: EndpointServices) {
  const claims = await requireUser(request, tokenKey)
  return userBody(await readSignedInUser(database, claims))
}

async function putUser(request: FastifyRequest, { database, passwords, tokenKey }: EndpointServices) {
  const claims = await requireUser(request, tokenKey)
  const change = readChange(readFields(request), claims)
  const outcome = await changeUser(database, passwords, { claims, change })
  if (outcome.kind === 'changed') return userBody(outcome.user)
  throw new WireError(changeRefusals[outcome.kind])
}

function readChange(fields: Fields, claims: AccessTokenClaims): UserChange {
  if (fields['app_metadata'] !== undefined && fields['app_metadata'] !== null)
    throw new WireError(authErrors.notAdmin)
  const email = readText(fields, 'email')
  if (email !== null && readEmail(email) !== claims.email) throw new WireError(authErrors.emailChangeDisabled)
  if (readText(fields, 'phone') !== null) throw new WireError(authErrors.phoneDisabled)
  return { data: readUserMetadata(fields), password: readText(fields, 'password') }
}
