/** Refreshing a session. The rules of reuse (docs/wire.md) are in `auth.refresh_session`. */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { RefreshToken } from '#tokens/refresh-token.ts'
import { type SignedIn, selectSignedIn } from './sessions.ts'

/** An older token still gets the active one this long after the last refresh, for tabs that race. */
const reuseSeconds = 10

type RefreshRefusal = 'not_found' | 'expired' | 'banned' | 'already_used'

export type RefreshOutcome = { kind: 'refreshed'; signedIn: SignedIn } | { kind: RefreshRefusal }

/** Moves the session to its next token, or answers the active one again. `already_used` has ended the session. */
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
