/** The second half of PKCE (GoTrue, `api/token.go`): a code and its verifier become a session, once. */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { oneTimeTokenHash } from '#identity/one-time-tokens.ts'
import { type CodeChallenge, answersChallenge } from './pkce.ts'
import { type Device, type SignedIn, selectSignedIn } from './sessions.ts'

export type ExchangeOutcome =
  | { readonly kind: 'signed in'; readonly signedIn: SignedIn }
  | { readonly kind: 'unknown code' | 'expired' | 'wrong verifier' }

/** Opens the session that a followed link is owed. A wrong verifier leaves the code to its owner. */
export async function exchangeCode(
  database: Database,
  request: { readonly authCode: string; readonly verifier: string; readonly device: Device },
): Promise<ExchangeOutcome> {
  const codeHash = oneTimeTokenHash(request.authCode)
  const [[flow]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<CodeChallenge & { is_expired: boolean }>`
      select f.code_challenge as challenge, f.code_challenge_method as method, f.expires_at <= now() as is_expired
      from auth.flow_state f
      where f.auth_code_hash = ${codeHash}`,
  ])
  if (flow === undefined) return { kind: 'unknown code' }
  if (flow.is_expired) return { kind: 'expired' }
  if (!answersChallenge(request.verifier, flow)) return { kind: 'wrong verifier' }
  const sessionId = randomUUID()
  const [, [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      with spent as (
        delete from auth.flow_state f
        using auth.users u
        where f.auth_code_hash = ${codeHash} and f.expires_at > now() and u.id = f.user_id
          and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
        returning f.user_id, f.authentication_method
      )
      select auth.open_session(${sessionId}, s.user_id, s.authentication_method, ${JSON.stringify(request.device)})
      from spent s`,
    selectSignedIn(sessionId),
  ])
  return signedIn === undefined ? { kind: 'unknown code' } : { kind: 'signed in', signedIn }
}
