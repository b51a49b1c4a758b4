/**
 * Creates a user on a hosted project. The creation takes three steps, because the authentication service uses a
 * separate database transaction. First, the audit records the administrator's intent, and the idempotency key is
 * claimed for a new user id. Then the service creates the user under that id, which can succeed only once. Last, the
 * audit records the result. If the new user is to be an administrator, a separate request of the calling administrator
 * grants the role. The database can then require a second administrator.
 */
import type { CreateUser } from '@finanzas/contract/wire/functions.ts'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { type AuthError, isAuthRetryableFetchError } from '@supabase/supabase-js'
import type { IdempotencyKey, OrderAnswer } from '#server/functions/handlers/runtime.ts'
import { type FunctionError, unavailable, weakPassword } from '#server/functions/handlers/errors.ts'
import { type Clients, actorArguments, addressErrorOf, callSql, waitsForApproval } from './clients.ts'

/** Must equal `minimum_password_length` in supabase/config.toml. */
const passwordLengthMin = 8

/** Throws `FunctionError` and `ApiError`. */
export async function createUser(
  clients: Clients,
  user: CreateUser,
  key: IdempotencyKey | null,
): Promise<OrderAnswer> {
  const id = await createCustomer(clients, user, key)
  if (user.role !== 'admin') return { id }
  // A repeated call changes nothing.
  await callSql(clients.user.from('profiles').update({ role: 'admin' }).eq('id', id))
  return { id, ...((await waitsForApproval(clients, id)) && { status: 'waiting' }) }
}

/** Returns the new user's id. */
async function createCustomer(
  clients: Clients,
  user: CreateUser,
  key: IdempotencyKey | null,
): Promise<string> {
  const { service, caller } = clients
  const id = await begin(clients, user, key)
  if (key !== null && (await exists(clients, id))) return id
  const { error } = await service.auth.admin.createUser({
    id,
    email: user.email,
    password: user.password,
    email_confirm: true,
    user_metadata: user.user_metadata,
  })
  if (error !== null) {
    // A concurrent call with the same key created the user.
    if (key !== null && (await exists(clients, id))) return id
    // The outcome is unknown. A repeated call continues with the id that the first call claimed.
    if (isAuthRetryableFetchError(error)) throw unavailable(error)
    if (key !== null) {
      const { body_hash: _, ...aborted } = actorArguments(clients, key)
      await callSql(service.rpc('abort_user_creation', aborted))
    }
    throw errorOf(error) ?? error
  }
  await callSql(
    service.rpc('record_audit', {
      action: 'create_user',
      actor: caller.id,
      target: id,
      before: null,
      after: { role: 'user' },
    }),
  )
  return id
}

/**
 * Records the intent and returns the new user's id. A repeated call returns the id for which the first call
 * claimed the key.
 */
async function begin(clients: Clients, { role }: CreateUser, key: IdempotencyKey | null): Promise<string> {
  const creation = { user_id: crypto.randomUUID(), role, ...actorArguments(clients, key) }
  const answer = await callSql(clients.service.rpc('begin_user_creation', creation))
  return (answer as OrderAnswer).id
}

async function exists({ service }: Clients, id: string): Promise<boolean> {
  const { data, error } = await service.auth.admin.getUserById(id)
  if (error !== null && error.code !== 'user_not_found') throw unavailable(error)
  return data.user !== null
}

/**
 * Converts an error of the authentication service to an error of the function. Returns `null` if the user's
 * data did not cause the error.
 */
function errorOf(error: AuthError): FunctionError | null {
  if (error.code !== 'weak_password') return addressErrorOf(error)
  const isLength = 'reasons' in error && Array.isArray(error.reasons) && error.reasons.includes('length')
  const lengths = { lengthMin: passwordLengthMin, lengthMax: passwordLengthMax }
  return weakPassword(isLength ? lengths : 'common', error)
}
