/**
 * Links that are mailed: 32 random bytes that work once and for a short time (security.md AN-08). The
 * database holds their SHA-256 alone; GoTrue keeps a SHA-224 of the address and six digits instead.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'

/** What a link is for: confirming a new address, or getting back in. */
export type OneTimeTokenType = 'signup' | 'recovery'

const lifeSeconds: Record<OneTimeTokenType, number> = { signup: 24 * 3600, recovery: 3600 }

/** A token that nobody has seen yet. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database holds of a token: hex. */
export function oneTimeTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Keeps the token for whoever has the address, in the place of an earlier one of its type. Answers no
 * row, and keeps nothing, when there is no such user, or none whose address is still to be confirmed.
 */
export function keepOneTimeToken(link: {
  readonly token: string
  readonly type: OneTimeTokenType
  readonly email: string
}): SqlStatement<{ user_id: string }> {
  const { token, type, email } = link
  return sql`
    with addressed as (
      update auth.users u
      set
        confirmation_sent_at = case when ${type} = 'signup' then now() else u.confirmation_sent_at end,
        recovery_sent_at = case when ${type} = 'recovery' then now() else u.recovery_sent_at end
      where u.email = ${email} and (${type} = 'recovery' or u.email_confirmed_at is null)
      returning u.id, u.email
    )
    insert into auth.one_time_tokens as t (token_hash, user_id, token_type, relates_to, expires_at)
    select
      ${oneTimeTokenHash(token)}, a.id, ${type}, a.email,
      now() + make_interval(secs => ${lifeSeconds[type]}::double precision)
    from addressed a
    on conflict (user_id, token_type) do update
    set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    returning t.user_id`
}

/** Whether a link of this type may be sent to the address; asking takes the same work for any address. */
export async function mayBeSent(
  database: Database,
  { type, email }: { type: OneTimeTokenType; email: string },
): Promise<boolean> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql`
      select from auth.users u
      where u.email = ${email} and (${type} = 'recovery' or u.email_confirmed_at is null)`,
  ])
  return rows.length === 1
}

/** Makes and keeps a token for the address. Answers `null` when it may not be sent (any more). */
export async function issueOneTimeToken(
  database: Database,
  link: { type: OneTimeTokenType; email: string },
): Promise<string | null> {
  const token = newOneTimeToken()
  const [kept] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    keepOneTimeToken({ ...link, token }),
  ])
  return kept.length === 1 ? token : null
}
