/** Challenges for second factors (GoTrue, `api/mfa.go`). Each response to a challenge contains the challenge's id. */
import { randomBytes } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, sql } from '#database/database.ts'
import { asSignedInByOneFactor } from '#people/session/sessions.ts'
import { type Passkey, selectPasskeys } from './passkey.ts'

const challengeLifeSeconds = 300
const challengeBytes = 32

/**
 * A challenge for a factor. The browser that creates or uses a passkey needs the field `bytes` and the fields after
 * `bytes`.
 */
export type Challenge = {
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly factorType: 'totp' | 'webauthn'
  readonly isFirst: boolean
  /** The bytes that a passkey signs. */
  readonly bytes: Uint8Array
  readonly user: { readonly email: string; readonly fullName: string | null }
  /** The user's confirmed passkeys. Like upstream, the server accepts a response from any of these passkeys. */
  readonly passkeys: readonly Passkey[]
}

/**
 * Creates a challenge for the factor and this session. Returns `null` if the session cannot see the factor, or if the
 * factor is neither an app nor a passkey. Throws `SqlError` FZ401. Throws `SqlError` 42501 if the challenge is for a
 * new factor, and the user must first enter the password, a mailed code or a code of another factor.
 */
export async function challengeFactor(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<Challenge | null> {
  const bytes = randomBytes(challengeBytes)
  const [, , [challenge], passkeys] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql`select auth.require_right_to_add(${claims.sub}, ${claims.session_id}, ${factorId})`,
    sql`delete from auth.mfa_challenges c where c.factor_id = ${factorId} and c.expires_at <= now()`,
    sql<Omit<Challenge, 'bytes' | 'passkeys'>>`
      with asked as (
        insert into auth.mfa_challenges (factor_id, session_id, expires_at, web_authn_session_data)
        select f.id, ${claims.session_id}, now() + make_interval(secs => ${challengeLifeSeconds}),
          case f.factor_type when 'webauthn' then jsonb_build_object(
            'challenge', ${bytes.toString('base64url')}::text,
            'type', case f.status when 'verified' then 'request' else 'create' end) end
        from auth.mfa_factors f
        where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type <> 'recovery_code'
          and auth.is_visible_in(f, ${claims.session_id})
        returning id, factor_id, expires_at
      )
      select a.id, extract(epoch from a.expires_at)::bigint as "expiresAt", f.factor_type as "factorType",
        f.status = 'unverified' as "isFirst",
        jsonb_build_object('email', u.email, 'fullName', u.raw_user_meta_data ->> 'full_name') as "user"
      from asked a
      join auth.mfa_factors f on f.id = a.factor_id
      join auth.users u on u.id = f.user_id`,
    selectPasskeys(claims.sub),
  ])
  return challenge === undefined ? null : { ...challenge, bytes, passkeys }
}
