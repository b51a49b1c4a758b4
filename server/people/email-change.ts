/**
 * Address changes (GoTrue, `api/mail.go`, with `secure_email_change`): both the current and the next address must
 * confirm the change, each through its own link. Until both addresses have confirmed the change, the account keeps its
 * current address.
 */
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { codeLifeSeconds, oneTimeTokenHash } from './one-time-tokens.ts'
import type { CodeChallenge } from '#people/session/pkce.ts'

/** Secrets of one of the two links: its token, and the HMAC of its six-digit code if it has one. */
type LinkSecrets = { readonly token: string; readonly codeMac: string | null }

export type EmailChange = {
  /** The next address, as `readEmail` returned it. */
  readonly email: string
  /**
   * New links for the current and for the next address. `null` means that the link that was mailed earlier stays valid.
   */
  readonly current: LinkSecrets | null
  readonly next: LinkSecrets | null
  readonly challenge: CodeChallenge | null
}

const linkLifeSeconds = 3600

/**
 * Returns a statement that stores the address change and the tokens of its two links. The statement does nothing if
 * `change` is `null`.
 */
export function requestEmailChange(userId: string, change: EmailChange | null): SqlStatement {
  const hashOf = (link: LinkSecrets | null | undefined) => (link ? oneTimeTokenHash(link.token) : null)
  return sql`
    select auth.request_email_change(
      ${userId}, ${change?.email ?? null},
      ${hashOf(change?.current)}, ${change?.current?.codeMac ?? null},
      ${hashOf(change?.next)}, ${change?.next?.codeMac ?? null},
      ${linkLifeSeconds}::integer, ${codeLifeSeconds}::integer,
      ${change?.challenge?.challenge ?? null}, ${change?.challenge?.method ?? null})`
}

/** An address change that at least one of the two addresses has not confirmed. */
type PendingEmailChange = {
  readonly userId: string
  readonly next: string
  /** The address that has already confirmed the change, or `null`. */
  readonly agreed: 'current' | 'next' | null
  /** True if another account has taken the next address in the meantime. */
  readonly isTaken: boolean
}

/**
 * Returns the pending change that the owner of this address requested. Returns `null` if no change is pending or if its
 * links have expired.
 */
export async function pendingEmailChange(
  database: Database,
  email: string,
): Promise<PendingEmailChange | null> {
  const [[pending]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<PendingEmailChange>`
      select u.id as "userId", u.email_change as next,
        case u.email_change_confirm_status when 1 then 'current' when 2 then 'next' end as agreed,
        exists (select from auth.users o where o.email = u.email_change) as "isTaken"
      from auth.users u
      where u.email = ${email} and auth.can_confirm_email_change(u)`,
  ])
  return pending ?? null
}

/**
 * Requests the address change again. A new link replaces the earlier link to the same address. If a new link is `null`,
 * the earlier link stays valid.
 */
export async function renewEmailChange(
  database: Database,
  userId: string,
  change: EmailChange,
): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [requestEmailChange(userId, change)])
}

/** The result of following a link about an address change that the bank requested. The link does not open a session. */
export type AddressChangeAnswer = { readonly outcome: 'confirmed' | 'cancelled'; readonly userId: string }

/**
 * Uses up the token of a link in a mail about an address change that the bank requested. Returns `null` for an invalid
 * link.
 */
export async function answerAddressChange(
  database: Database,
  token: string,
): Promise<AddressChangeAnswer | null> {
  const [[answer]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<AddressChangeAnswer>`
      select a.outcome, a.person as "userId" from auth.answer_address_change(${oneTimeTokenHash(token)}) as a`,
  ])
  return answer ?? null
}
