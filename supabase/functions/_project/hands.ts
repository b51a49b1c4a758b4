/** With whose rights a function does what it does on a hosted project, and how it calls the database. */
import type { PostgrestSingleResponse, SupabaseClient, User } from '@supabase/supabase-js'
import type { IdempotencyKey } from '#server/functions/handlers/idempotency.ts'
import { ApiError } from './api-error.ts'

/** With whose rights something is done. */
export type Hands = {
  readonly caller: User
  /** The caller's own. */
  readonly own: SupabaseClient
  /** Nobody's. */
  readonly visitor: SupabaseClient
  /** The project's: no policy binds it. */
  readonly service: SupabaseClient
}

/** The answer of a SQL function. Throws `ApiError`. */
export async function callSql(call: PromiseLike<PostgrestSingleResponse<unknown>>): Promise<unknown> {
  const { data, error, status } = await call
  if (error !== null) throw new ApiError(status, error)
  return data
}

/** The arguments of a SQL function that claims the key. */
export function keyArguments(key: IdempotencyKey | null): Record<string, string> {
  return key === null ? {} : { idempotency_key: key.key, body_hash: key.bodyHash }
}
