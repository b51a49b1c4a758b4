/** Sessions: one row for each sign-in that is alive. Ending one deletes its row, which ends its tokens at once. */
import type { AccessTokenClaims, AssuranceLevel, AuthenticationMethod } from '@finanzas/contract/claims.ts'
import { type Database, SqlError, type SqlStatement, sessionEndedSqlState, sql } from '#database/database.ts'
import type { Scope } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type User, userAsJson } from '#identity/users.ts'

export type SignedIn = { readonly user: User; readonly session: Session }

export type Session = {
  readonly id: string
  readonly aal: AssuranceLevel
  /** Newest first. */
  readonly amr: AuthenticationMethod[]
  /** Which refresh token is the active one. */
  readonly refresh_counter: number
}

/** Where a session was opened, as the request says it. */
export type Device = { readonly userAgent: string | null; readonly ip: string }

/** How many sessions a sign-out ends: all of the user's, the caller's own, or all but that. */
export type LogoutScope = 'global' | 'local' | 'others'

/** The rights of the authentication service, for a signed-in user whose session must be alive (FZ401). */
export function asSignedIn(claims: AccessTokenClaims, access: Scope['access']): Scope {
  return {
    ...asService('supabase_auth_admin', access),
    session: { id: claims.session_id, userId: claims.sub },
  }
}

/** The same, whether the user has shown their second factor in the session or not. */
export function asSignedInByOneFactor(claims: AccessTokenClaims, access: Scope['access']): Scope {
  return {
    ...asService('supabase_auth_admin', access),
    session: { id: claims.session_id, userId: claims.sub, isOneFactorEnough: true },
  }
}

/** Answers one row for a session that exists, none for another. */
export function selectSignedIn(sessionId: string): SqlStatement<SignedIn> {
  return {
    text: `
      select ${userAsJson} as "user",
        jsonb_build_object('id', s.id, 'aal', s.aal, 'amr', s.amr, 'refresh_counter', s.refresh_counter) as session
      from auth.sessions s
      join auth.users u on u.id = s.user_id
      where s.id = $1`,
    values: [sessionId],
  }
}

/** What the database would have said, had the session ended a moment earlier. */
export function sessionEnded(): SqlError {
  return new SqlError({ message: 'The session has ended.', sqlState: sessionEndedSqlState })
}

/** Ends sessions of the caller. Throws `SqlError` FZ401 when the caller's own is over. */
export async function endSessions(
  database: Database,
  claims: AccessTokenClaims,
  scope: LogoutScope,
): Promise<void> {
  await database.transaction(asSignedInByOneFactor(claims, 'write'), [endSessionsStatement(claims, scope)])
}

function endSessionsStatement({ sub, session_id: own }: AccessTokenClaims, scope: LogoutScope): SqlStatement {
  if (scope === 'local') return sql`delete from auth.sessions s where s.user_id = ${sub} and s.id = ${own}`
  // A session at aal1 does not end one at aal2.
  return sql`
    delete from auth.sessions s
    using auth.sessions own
    where s.user_id = ${sub} and own.id = ${own} and s.aal <= own.aal
      and (${scope} = 'global' or s.id <> own.id)`
}
