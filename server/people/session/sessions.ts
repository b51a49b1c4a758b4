/** Sessions: one row for each active sign-in. Deleting the row ends the session and its tokens at once. */
import type {
  AccessTokenClaims,
  AssuranceLevel,
  AuthenticationMethod,
} from '@finanzas/contract/people/claims.ts'
import {
  type Database,
  type Scope,
  type SqlStatement,
  SqlError,
  sessionEndedSqlState,
  sql,
} from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type User, signedInUserAsJson } from '#people/users.ts'
import type { RefreshToken } from '#tokens/refresh-token.ts'

export type SignedIn = { readonly user: User; readonly session: Session }

export type Session = {
  readonly id: string
  readonly aal: AssuranceLevel
  /** Newest first. */
  readonly amr: AuthenticationMethod[]
  /** Counter of the active refresh token. */
  readonly refresh_counter: number
}

/** Device and network from which a session was opened, as reported by the request. */
export type Device = { readonly userAgent: string | null; readonly ip: string }

/** Sessions that a sign-out ends: all sessions of the user, only the caller's session, or all except the caller's. */
export type LogoutScope = 'global' | 'local' | 'others'

/**
 * Returns a scope with the rights of the authentication service. The database raises FZ401 if the user's session has
 * ended.
 */
export function asSignedIn(claims: AccessTokenClaims, access: Scope['access']): Scope {
  return {
    ...asService('supabase_auth_admin', access),
    session: { id: claims.session_id, userId: claims.sub },
  }
}

/**
 * Returns the same scope as `asSignedIn`, but also accepts a session that has not verified the user's second factor.
 */
export function asSignedInByOneFactor(claims: AccessTokenClaims, access: Scope['access']): Scope {
  const session = { id: claims.session_id, userId: claims.sub, isOneFactorEnough: true } as const
  return { ...asSignedIn(claims, access), session }
}

/** Selects one row for an existing session, and no row for an unknown session. */
export function selectSignedIn(sessionId: string): SqlStatement<SignedIn> {
  return {
    text: `
      select ${signedInUserAsJson} as "user",
        jsonb_build_object('id', s.id, 'aal', s.aal, 'amr', s.amr, 'refresh_counter', s.refresh_counter) as session
      from auth.sessions s
      join auth.users u on u.id = s.user_id
      where s.id = $1`,
    values: [sessionId],
  }
}

/**
 * Returns the error that the database raises for a session that has ended. Used if the session ended only after the
 * database's check.
 */
export function sessionEnded(): SqlError {
  return new SqlError({ message: 'The session has ended.', sqlState: sessionEndedSqlState })
}

/** Ends the caller's sessions. Throws `SqlError` FZ401 when the caller's own session has ended. */
export async function endSessions(
  database: Database,
  claims: AccessTokenClaims,
  scope: LogoutScope,
): Promise<void> {
  // A session at aal1 cannot end sessions at aal2.
  await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql`
      delete from auth.sessions s
      using auth.sessions own
      where s.user_id = ${claims.sub} and own.id = ${claims.session_id} and s.aal <= own.aal
        and case ${scope} when 'global' then true when 'local' then s.id = own.id else s.id <> own.id end`,
  ])
}

/**
 * Period after a refresh. During this period, a client that sends an older token gets the active token, because several
 * tabs may refresh at once.
 */
const reuseSeconds = 10

type RefreshRefusal = 'not_found' | 'expired' | 'banned' | 'already_used'

export type RefreshOutcome = { kind: 'refreshed'; signedIn: SignedIn } | { kind: RefreshRefusal }

/**
 * Advances the session to its next refresh token, or returns the active token again. If the outcome is `already_used`,
 * the session has been ended.
 */
export async function refresh(database: Database, token: RefreshToken): Promise<RefreshOutcome> {
  const { sessionId, counter } = token
  const [[refreshed], [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ outcome: 'rotated' | 'reused' | RefreshRefusal }>`
      select r.outcome from auth.refresh_session(${sessionId}, ${counter}, ${reuseSeconds}) as r`,
    selectSignedIn(sessionId),
  ])
  const outcome = refreshed?.outcome ?? 'not_found'
  if (outcome !== 'rotated' && outcome !== 'reused') return { kind: outcome }
  return signedIn === undefined ? { kind: 'not_found' } : { kind: 'refreshed', signedIn }
}
