/** The link in the mail that tells of a new second factor: for 72 hours it takes the factor away again. */
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { oneTimeTokenHash } from '#identity/one-time-tokens.ts'

const undoLifeSeconds = 72 * 3600

/** Keeps the link's token with a factor that counts; `factorId: null` means the only one of its type. */
export function storeUndoToken(
  token: string,
  factor: {
    readonly userId: string
    readonly factorType: 'totp' | 'recovery_code'
    readonly factorId: string | null
  },
): SqlStatement {
  return sql`
    update auth.mfa_factors f
    set undo_hash = ${oneTimeTokenHash(token)}, undo_expires_at = now() + make_interval(secs => ${undoLifeSeconds})
    where f.user_id = ${factor.userId} and f.factor_type = ${factor.factorType} and f.status = 'verified'
      and f.id = coalesce(${factor.factorId}::uuid, f.id)`
}

/**
 * Takes the factor away, with those that were added after it, and ends every session and the password. Answers
 * the user's id; `null` when the link is worthless.
 */
export async function undoFactor(database: Database, token: string): Promise<string | null> {
  const [[undone]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ user_id: string | null }>`select auth.undo_factor(${oneTimeTokenHash(token)}) as user_id`,
  ])
  return undone?.user_id ?? null
}
