/**
 * A user made on a hosted project: by its authentication service, in a database transaction that nobody else can take
 * part in. So there are three steps, and each is in the audit (product-decisions §11.10): the intent in the
 * administrator's name, which claims the key for an id; the effect, under that id and therefore once; the result.
 */
import type { CreateUser } from '@finanzas/contract/functions.ts'
import { passwordLengthMax } from '@finanzas/contract/limits.ts'
import { type AuthError, isAuthRetryableFetchError } from '@supabase/supabase-js'
import { type IdempotencyKey, replayedAnswer } from '#server/functions/handlers/idempotency.ts'
import {
  type Refusal,
  emailTaken,
  malformedEmail,
  unavailable,
  weakPassword,
} from '#server/functions/handlers/refusals.ts'
import { ApiError } from './api-error.ts'
import { type Hands, callSql, keyArguments } from './hands.ts'

/** `minimum_password_length` of supabase/config.toml. */
const passwordLengthMin = 8

/** Answers the id. Throws `Refusal` and `ApiError`. */
export async function createUser(
  hands: Hands,
  user: CreateUser,
  key: IdempotencyKey | null,
): Promise<string> {
  const { own, service, caller } = hands
  const id = await begin(hands, user, key)
  if (key !== null && (await exists(hands, id))) return id
  const { error } = await service.auth.admin.createUser({
    id,
    email: user.email,
    password: user.password,
    email_confirm: true,
    user_metadata: user.user_metadata,
    app_metadata: user.role === 'admin' ? { role: user.role } : {},
  })
  if (error !== null) {
    // The same call at the same time was quicker.
    if (key !== null && (await exists(hands, id))) return id
    // Whether it happened is not known: the same call again goes on under the same id.
    if (isAuthRetryableFetchError(error)) throw unavailable(error)
    if (key !== null) await callSql(own.rpc('give_up_user_creation', { idempotency_key: key.key }))
    throw refusalOf(error) ?? error
  }
  await callSql(
    service.rpc('record_audit', {
      action: 'create_user',
      actor: caller.id,
      target: id,
      before: null,
      after: { role: user.role },
    }),
  )
  return id
}

/** The id under which the user is made: the one that the key stands for already, when the call came before. */
async function begin({ own }: Hands, { role }: CreateUser, key: IdempotencyKey | null): Promise<string> {
  const id = crypto.randomUUID()
  try {
    await callSql(own.rpc('begin_user_creation', { user_id: id, role, ...keyArguments(key) }))
    return id
  } catch (error) {
    const before = error instanceof ApiError ? replayedAnswer(error) : null
    if (before === null) throw error
    return ((await before.json()) as { id: string }).id
  }
}

async function exists({ service }: Hands, id: string): Promise<boolean> {
  const { data, error } = await service.auth.admin.getUserById(id)
  if (error !== null && error.code !== 'user_not_found') throw unavailable(error)
  return data.user !== null
}

/** What the authentication service refuses; `null` where it says nothing about the user. */
function refusalOf(error: AuthError): Refusal | null {
  if (error.code === 'email_exists') return emailTaken(error)
  if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
    return malformedEmail(error)
  if (error.code !== 'weak_password') return null
  const isLength = 'reasons' in error && Array.isArray(error.reasons) && error.reasons.includes('length')
  const lengths = { lengthMin: passwordLengthMin, lengthMax: passwordLengthMax }
  return weakPassword(isLength ? lengths : 'common', error)
}
