/** Following a mailed link (GoTrue, `api/verify.go`): it confirms the address and opens a session, once. */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type OneTimeTokenType, oneTimeTokenHash } from './one-time-tokens.ts'
import { type Device, type SignedIn, openedBy, selectSignedIn } from './sessions.ts'

/**
 * Spends the token and signs its owner in. Answers `null`, and spends nothing, when there is no such token
 * of this type, it has expired, it was sent to another address, or its owner is banned.
 * A recovery link confirms the address too: it was read there.
 */
export async function redeem(
  database: Database,
  link: {
    readonly token: string
    readonly type: OneTimeTokenType
    /** The address that it was sent to, where the caller must know it. */
    readonly email: string | null
    readonly device: Device
  },
): Promise<SignedIn | null> {
  const sessionId = randomUUID()
  const { userAgent, ip } = link.device
  const [, [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      with spent as (
        delete from auth.one_time_tokens t
        using auth.users u
        where t.token_hash = ${oneTimeTokenHash(link.token)}
          and t.token_type = ${link.type}
          and t.expires_at > now()
          and u.id = t.user_id
          and u.email = t.relates_to
          and u.email = coalesce(${link.email}, u.email)
          and (u.banned_until is null or u.banned_until <= now())
          and u.deleted_at is null
        returning t.user_id
      ), person as (
        update auth.users u
        set
          email_confirmed_at = coalesce(u.email_confirmed_at, now()),
          raw_user_meta_data = u.raw_user_meta_data || '{"email_verified": true}',
          last_sign_in_at = now(),
          updated_at = now()
        from spent s
        where u.id = s.user_id
        returning u.id
      ), identity as (
        update auth.identities i
        set identity_data = i.identity_data || '{"email_verified": true}', updated_at = now()
        from person p
        where i.user_id = p.id and i.provider = 'email'
      )
      insert into auth.sessions (id, user_id, amr, user_agent, ip)
      select ${sessionId}, p.id, ${openedBy('otp')}, ${userAgent}, ${ip}
      from person p`,
    selectSignedIn(sessionId),
  ])
  return signedIn ?? null
}
