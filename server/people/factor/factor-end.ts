/**
 * Removes a factor that a thief added or that the account's owner cannot use. The factor is removed when the user
 * follows the link in the mail about the factor, or after a waiting period.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { oneTimeTokenHash } from '#people/one-time-tokens.ts'
import { asSignedInByOneFactor } from '#people/session/sessions.ts'

/**
 * The time at which all factors of an account will be removed, because the owner has requested it and cannot use any of
 * the factors. `isNew` is true if no earlier request was pending.
 */
export type FactorsEnd = { readonly at: string; readonly email: string; readonly isNew: boolean }

/**
 * Requests the removal of all the caller's factors after a waiting period. Returns `null` unless the session was
 * recently opened through a recovery link. Throws `SqlError` FZ401.
 */
export async function requestFactorsEnd(
  database: Database,
  claims: AccessTokenClaims,
): Promise<FactorsEnd | null> {
  const [[before], [asked]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql<{ email: string; is_new: boolean }>`
      select u.email, u.factors_end_at is null as is_new
      from auth.users u
      where u.id = ${claims.sub}
      for update`,
    sql<{ at: string | null }>`select auth.request_factors_end(${claims.sub}, ${claims.session_id}) as at`,
  ])
  if (before === undefined || asked === undefined || asked.at === null) return null
  return { at: new Date(asked.at).toISOString(), email: before.email, isNew: before.is_new }
}

/**
 * Removes the factor, all factors that were added later, the password, and every session. Returns the user's id; `null`
 * for an invalid or expired link.
 */
export async function undoFactor(database: Database, token: string): Promise<string | null> {
  const [[undone]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ user_id: string | null }>`select auth.undo_factor(${oneTimeTokenHash(token)}) as user_id`,
  ])
  return undone?.user_id ?? null
}
