/**
 * Mailed links: 32 random bytes that can be used once and only for a short time (security.md AN-08). The database
 * stores only the SHA-256 hash of these bytes. (GoTrue instead stores a SHA-224 hash of the address and a six-digit
 * code.) A mail may contain a six-digit code in addition to the link. The code is stored as an HMAC and is valid for
 * ten minutes and five attempts.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Keys } from '#tokens/keys.ts'
import type { CodeChallenge } from '#people/session/pkce.ts'

/** Purpose of a link that is mailed to an address. */
export type LinkType = 'signup' | 'recovery' | 'magiclink' | 'invite'

/** The types of one-time tokens in the database; an address change uses two types. */
export type OneTimeTokenType = LinkType | 'email_change_current' | 'email_change_new' | 'reauthentication'

export const linkLifeSeconds: Record<LinkType, number> = {
  signup: 24 * 3600,
  recovery: 3600,
  magiclink: 600,
  invite: 24 * 3600,
}

/** Lifetime of a six-digit code. The link in the same mail may be valid for longer. */
export const codeLifeSeconds = 600

/** Returns a new token; under PKCE it begins with `pkce_`, like upstream's tokens. */
export function newOneTimeToken(challenge: CodeChallenge | null = null): string {
  return `${challenge === null ? '' : 'pkce_'}${randomBytes(32).toString('base64url')}`
}

export function newOneTimeCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Returns the stored form of a token, in hex. */
export function oneTimeTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Returns the stored form of a six-digit code, in hex. `owner` is either the address or the id of the user who may use
 * the code.
 */
export function oneTimeCodeMac({ codes }: Keys, code: string, owner: string): string {
  return codes.mac(['one-time', owner, code])
}

export type NewLink = {
  readonly type: LinkType
  readonly email: string
  readonly token: string
  readonly codeMac: string | null
  readonly challenge: CodeChallenge | null
}

/**
 * Returns a statement that stores the token for the user with this address and replaces an earlier token of the same
 * type. If the user does not exist or must not receive a link of this type, the statement stores nothing and returns no
 * row.
 */
export function storeLink(link: NewLink): SqlStatement<{ user_id: string }> {
  const { token, type, email, codeMac, challenge } = link
  return sql`
    with addressed as (
      update auth.users u
      set
        confirmation_sent_at = case when ${type} in ('signup', 'invite') then now() else u.confirmation_sent_at end,
        invited_at = case when ${type} = 'invite' then now() else u.invited_at end,
        recovery_sent_at = case when ${type} in ('recovery', 'magiclink') then now() else u.recovery_sent_at end
      where u.email = ${email} and (${type} in ('recovery', 'magiclink') or u.email_confirmed_at is null)
      returning u.id, u.email
    )
    select auth.store_one_time_token(
      a.id, ${type}, a.email, ${oneTimeTokenHash(token)}, ${linkLifeSeconds[type]}::integer,
      ${codeMac}, ${codeLifeSeconds}::integer, ${challenge?.challenge ?? null}, ${challenge?.method ?? null}
    ) as user_id
    from addressed a`
}

/** Returns true if it is allowed to send a link of this type to the address. Does the same work for every address. */
export async function canSendLink(
  database: Database,
  { type, email }: { readonly type: LinkType; readonly email: string },
): Promise<boolean> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql`
      select from auth.users u
      where u.email = ${email} and (${type} in ('recovery', 'magiclink') or u.email_confirmed_at is null)`,
  ])
  return rows.length === 1
}

/**
 * Stores a link's token for the address. Returns false if the account has changed in the meantime and must no longer
 * receive the link.
 */
export async function issueLink(database: Database, link: NewLink): Promise<boolean> {
  const [kept] = await database.transaction(asService('supabase_auth_admin', 'write'), [storeLink(link)])
  return kept.length === 1
}
