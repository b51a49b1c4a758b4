/**
 * `/admin/users` (GoTrue, `api/admin.go`): user management for the operator's programs. The endpoints refuse phone
 * numbers, database roles, imported password hashes and soft deletion.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SqlError } from '#database/database.ts'
import { WireError } from '#http/wire-error.ts'
import {
  type AdminChange,
  createUser,
  deleteFactor,
  deleteUser,
  findUser,
  listUsers,
  updateUser,
} from '#people/user-management.ts'
import { type User, isEmailTaken } from '#people/users.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { readBanDuration } from '#auth/ban-duration.ts'
import { authErrors, refusals } from '#auth/errors.ts'
import { noticeFactor } from '#auth/notices.ts'
import { pageHeaders, readPage } from '#auth/page-headers.ts'
import { type Fields, readFields, readFlag, readText } from '#auth/request-body.ts'
import { readAddress, readUserMetadata, userIdOf } from '#auth/user-fields.ts'
import type { AuthServices } from '#auth/services.ts'
import { factorBody, userBody } from '#auth/user-body.ts'

export function addAdminUsers(app: FastifyInstance, services: AuthServices): void {
  app.get('/admin/users', (request, reply) => list(request, reply, services))
  app.post('/admin/users', (request) => create(request, services))
  app.get('/admin/users/:userId', (request) => read(request, services))
  app.put('/admin/users/:userId', (request) => update(request, services))
  app.delete('/admin/users/:userId', (request) => remove(request, services))
  app.get('/admin/users/:userId/factors', (request) => listFactors(request, services))
  app.delete('/admin/users/:userId/factors/:factorId', (request) => removeFactor(request, services))
}

async function list(request: FastifyRequest, reply: FastifyReply, { database, config }: AuthServices) {
  const page = readPage(request)
  const { users, total } = await listUsers(database, page)
  void reply.headers(pageHeaders(`${config.siteUrl}/auth/v1/admin/users`, { ...page, total }))
  return { users: users.map(userBody), aud: 'authenticated' }
}

async function create(request: FastifyRequest, services: AuthServices) {
  const fields = readFields(request)
  const id = readText(fields, 'id')
  if (id !== null && !isUuid(id)) throw new WireError(authErrors.userIdMalformed)
  const change = await readChange(fields, services)
  const { email } = change
  if (email === null) throw new WireError(authErrors.missingUserEmail)
  const wanted = { ...change, email, ...(id === null ? {} : { id }) }
  const user = await translateRefusals(createUser(services.database, wanted))
  if (user === null) throw new WireError(authErrors.unexpected)
  return userBody(user)
}

async function update(request: FastifyRequest, services: AuthServices) {
  const id = userIdOf(request)
  const change = await readChange(readFields(request), services)
  const user = await translateRefusals(updateUser(services.database, id, change))
  if (user === null) throw new WireError(refusals['unknown user'])
  return userBody(user)
}

async function remove(request: FastifyRequest, { database }: AuthServices) {
  const id = userIdOf(request)
  const isSoft = request.body !== undefined && readFlag(readFields(request), 'should_soft_delete')
  if (isSoft) throw new WireError(authErrors.unsupportedUserField)
  if (!(await translateRefusals(deleteUser(database, id)))) throw new WireError(refusals['unknown user'])
  return {}
}

async function read(request: FastifyRequest, services: AuthServices) {
  return userBody(await existingUser(request, services))
}

async function listFactors(request: FastifyRequest, services: AuthServices) {
  const { factors } = await existingUser(request, services)
  return factors.map(factorBody)
}

async function removeFactor(request: FastifyRequest, services: AuthServices) {
  const { factorId } = request.params as { factorId: string }
  const user = await existingUser(request, services)
  const ids = { userId: user.id, factorId }
  const factor = isUuid(factorId) ? await deleteFactor(services.database, ids) : null
  if (factor === null) throw new WireError(refusals['unknown factor'])
  if (factor.factor_type !== 'recovery_code' && factor.status === 'verified')
    noticeFactor(services, request, {
      to: user.email,
      event: { kind: factor.factor_type === 'webauthn' ? 'passkey removed' : 'app removed' },
      // The mail names no browser, because this request comes from an operator's program and not from the owner of the
      // account.
      incident: { at: new Date(), userAgent: null },
    })
  return factorBody(factor)
}

async function existingUser(request: FastifyRequest, { database }: AuthServices): Promise<User> {
  const user = await findUser(database, userIdOf(request))
  if (user === null) throw new WireError(refusals['unknown user'])
  return user
}

async function readChange(fields: Fields, { passwords }: AuthServices): Promise<AdminChange> {
  const role = readText(fields, 'role')
  const isForeign =
    (role !== null && role !== 'authenticated') ||
    ['phone', 'password_hash'].some((name) => readText(fields, name) !== null)
  if (isForeign) throw new WireError(authErrors.unsupportedUserField)
  const duration = readText(fields, 'ban_duration')
  const banSeconds = duration === null ? null : readBanDuration(duration)
  if (duration !== null && banSeconds === null) throw new WireError(authErrors.invalidBanDuration)
  const password = readText(fields, 'password')
  const email = readText(fields, 'email') === null ? null : readAddress(fields)
  return {
    email,
    isConfirmed: readFlag(fields, 'email_confirm'),
    userMetadata: readUserMetadata(fields, 'user_metadata') ?? {},
    appMetadata: readUserMetadata(fields, 'app_metadata') ?? {},
    banSeconds,
    // The password is hashed last, because hashing is expensive and unnecessary if one of the checks above refuses the
    // request.
    passwordHash: password === null ? null : await passwords.hash(password, { email }),
  }
}

async function translateRefusals<T>(wish: Promise<T>): Promise<T> {
  try {
    return await wish
  } catch (error) {
    if (isEmailTaken(error)) throw new WireError(refusals['email taken'], { cause: error })
    if (error instanceof SqlError && error.constraint === 'users_pkey')
      throw new WireError(authErrors.userIdTaken, { cause: error })
    if (error instanceof SqlError && error.sqlState === 'PT403')
      throw new WireError(authErrors.lastAdministrator, { cause: error })
    throw error
  }
}
