/** The removal of a factor that its owner cannot show: by the link in the mail about it, or after a wait. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { oneTimeTokenHash } from '#identity/one-time-tokens.ts'
import { asSignedInByOneFactor } from '#identity/session/sessions.ts'

/** When an account's factors will end, on the request of an owner who cannot show one; `isNew` for the first request. */
export type FactorsEnd = { readonly at: string; readonly email: string; readonly isNew: boolean }

/**
 * Asks for the end of all the caller's factors, after a wait; `null` for a session that no recovery link has just
 * opened. Throws `SqlError` FZ401.
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
 * Takes the factor away, with those that were added after it, and ends every session and the password. Returns the
 * user's id; `null` for an invalid or expired link.
 */
export async function undoFactor(database: Database, token: string): Promise<string | null> {
  const [[undone]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ user_id: string | null }>`select auth.undo_factor(${oneTimeTokenHash(token)}) as user_id`,
  ])
  return undone?.user_id ?? null
}
