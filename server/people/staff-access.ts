/**
 * Statements for actions of staff and operators on a user's access. The product's SQL cannot perform these actions,
 * because they create links or change data that only this server stores.
 */
import { randomUUID } from 'node:crypto'
import { type SqlStatement, sql } from '#database/database.ts'
import { type AddressChangeLink, addressChangeToken } from '#tokens/address-change.ts'
import type { Keys } from '#tokens/keys.ts'
import { codeLifeSeconds, linkLifeSeconds, oneTimeTokenHash } from './one-time-tokens.ts'

/**
 * The address and type of a link: a `signup` link confirms an account whose owner signed up, and a `recovery` link lets
 * a person who has signed in before choose a new password. An `invite` link invites the owner of any other account.
 */
export type WaitingLink = { readonly email: string; readonly type: 'signup' | 'invite' | 'recovery' }

/**
 * Stores a token for a link that staff send. A person who has signed in before keeps the password until the link is
 * used. A confirmed account keeps its first password until the user follows the link and chooses another password. An
 * invitation with its own lifetime stays an invitation, even if the person has signed in in the meantime. Returns no row for an unknown user, and if the administrator's order
 * was not entered.
 */
export function storeWaitingLink(
  userId: string,
  token: string,
  {
    lifeSeconds = null,
    orderId = null,
  }: { readonly lifeSeconds?: number | null; readonly orderId?: string | null } = {},
): SqlStatement<WaitingLink> {
  return sql`
    select u.email, link.type,
      auth.store_one_time_token(
        u.id, link.type, u.email, ${oneTimeTokenHash(token)},
        coalesce(${lifeSeconds}::integer, case link.type
          when 'recovery' then ${linkLifeSeconds.recovery}::integer else ${linkLifeSeconds.invite}::integer
        end),
        null, ${codeLifeSeconds}::integer, null, null)
    from auth.users u
    cross join lateral (
      select case
        when u.email_confirmed_at is null and u.invited_at is null and u.encrypted_password is not null then 'signup'
        when u.email_confirmed_at is not null and u.last_sign_in_at is not null and ${lifeSeconds}::integer is null
          then 'recovery'
        else 'invite'
      end as type
    ) as link
    where u.id = ${userId} and (${orderId}::uuid is null or private.is_ordered(${orderId}::uuid))`
}

/**
 * Begins to change a user's address; both addresses get a mail. First the new mailbox must confirm the change. The
 * change then takes effect after a waiting period, or earlier if the user accepts it and enters the password or a
 * mailed code (docs/decisions/0060). Does nothing if the administrator's order was not entered.
 */
export function beginAddressChange(
  keys: Pick<Keys, 'links'>,
  { userId, email, orderId = null }: { userId: string; email: string; orderId?: string | null },
): SqlStatement {
  const seed = randomUUID()
  const hashOf = (link: AddressChangeLink) => oneTimeTokenHash(addressChangeToken(keys, link, seed))
  return sql`
    select auth.begin_address_change(${userId}, ${email}, ${hashOf('confirm')}, ${hashOf('cancel')}, ${seed})
    where ${orderId}::uuid is null or private.is_ordered(${orderId}::uuid)`
}

/**
 * Returns the MAC that stands for an address in the audit log. With the key, one can test whether a MAC belongs to a
 * given address.
 */
export function addressMac({ fingerprints }: Pick<Keys, 'fingerprints'>, email: string): string {
  return fingerprints.mac(['address', email])
}
