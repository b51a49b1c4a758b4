/** What staff and operators do with the access of a person, as far as the product's SQL cannot: links, and what only this server keeps. */
import { type SqlStatement, sql } from '#database/database.ts'
import { requestEmailChange } from './email-change.ts'
import { codeLifeSeconds, oneTimeTokenHash } from './one-time-tokens.ts'

const linkLifeSeconds = 24 * 3600

/** Where the link goes, and what it is for: an account that signed itself up confirms, any other is invited. */
export type WaitingLink = { readonly email: string; readonly type: 'signup' | 'invite' }

/**
 * Keeps a token for a person who has not been in their account. A confirmed account keeps the password that it was
 * made with: the link offers to choose another one.
 */
export function storeWaitingLink(userId: string, token: string): SqlStatement<WaitingLink> {
  return sql`
    select u.email, link.type,
      auth.store_one_time_token(
        u.id, link.type, u.email, ${oneTimeTokenHash(token)}, ${linkLifeSeconds}::integer,
        null, ${codeLifeSeconds}::integer, null, null)
    from auth.users u
    cross join lateral (
      select case
        when u.email_confirmed_at is null and u.invited_at is null and u.encrypted_password is not null then 'signup'
        else 'invite'
      end as type
    ) as link
    where u.id = ${userId}`
}

/** With the last second factor goes what was asked for it: an end in 72 hours would take one that is added since. */
export function forgetFactorsEnd(userId: string): SqlStatement {
  return sql`update auth.users u set factors_end_at = null where u.id = ${userId}`
}

/** Another address for a person, which counts once its owner has followed the link: the bank speaks for the present one. */
export function requestAddressFor(
  userId: string,
  { email, token }: { readonly email: string; readonly token: string },
): SqlStatement[] {
  const next = { token, codeMac: null }
  return [
    requestEmailChange(userId, { email, current: null, next, challenge: null }),
    sql`update auth.users u set email_change_confirm_status = 1 where u.id = ${userId}`,
    // A link of the person's own to another address is of no use any more.
    sql`
      delete from auth.one_time_tokens t where t.user_id = ${userId} and t.token_type = 'email_change_current'`,
    sql`select auth.enqueue_notice(${userId}, 'begin_email_change', jsonb_build_object('email', ${email}::text))`,
  ]
}
