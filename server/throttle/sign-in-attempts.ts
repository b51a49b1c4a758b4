/**
 * Sign-in attempts (security.md AN-07). Each account has a separate count for each network from which its owner has
 * signed in before, and attempts from other networks do not change this count. Guesses from other networks, and guesses
 * at other accounts from the owner's network, therefore cannot lock the owner out.
 */
import { type SqlStatement, sql } from '#database/database.ts'
import { type Origin, type Use, keyOf } from './attempts.ts'

/**
 * Counts an attempt. `is_known` is true if the owner has signed in from the network before. Each `wait_seconds` column
 * is the wait that one limit requires; 0 if the limit still had capacity.
 */
export function consumeSignInStatement(attempt: Origin): SqlStatement<{
  is_known: boolean
  wait_seconds: number
  account_wait_seconds: number
  network_wait_seconds: number
}> {
  const { known, unknown, network, allKnown, allUnknown } = possibleUsesOf(attempt)
  return sql`
    select k.is_known, guess.wait_seconds,
      -- A refused attempt does not consume this limit, because no hash is computed for it.
      case when guess.wait_seconds > 0
        then 0
        else private.attempt(
          ${allKnown.limit}, case when k.is_known then ${keyOf(allKnown)} else ${keyOf(allUnknown)} end)
      end as account_wait_seconds,
      case when k.is_known then 0 else private.attempt(${network.limit}, ${keyOf(network)}) end as network_wait_seconds
    from (select auth.is_known_network(${attempt.email}, ${attempt.network}) as is_known) as k
    cross join lateral (
      select case when k.is_known
        then private.attempt(${known.limit}, ${keyOf(known)})
        else private.attempt(${unknown.limit}, ${keyOf(unknown)})
      end as wait_seconds
    ) as guess`
}

/** Returns the uses that an attempt consumed. After a correct password, all uses except `kept` are refunded. */
export function usesOf(attempt: Origin, isKnown: boolean): { refunded: readonly Use[]; kept: Use } {
  const { known, unknown, network, allKnown, allUnknown } = possibleUsesOf(attempt)
  return isKnown ? { refunded: [known], kept: allKnown } : { refunded: [unknown, network], kept: allUnknown }
}

function possibleUsesOf({ email, network }: Origin) {
  return {
    known: { limit: 'sign-in from a known network', subject: `${email ?? ''} ${network}` },
    unknown: { limit: 'sign-in from an unknown network', subject: email ?? '' },
    network: { limit: 'sign-in from a network', subject: network },
    allKnown: { limit: 'sign-in to an account', subject: `${email ?? ''} ${network}` },
    allUnknown: { limit: 'sign-in to an account', subject: email ?? '' },
  } satisfies Record<string, Use>
}

/**
 * Remembers the network as known. The time of the last sign-in is updated at most once a day, so that this database
 * transaction rarely has to wait for the disk.
 */
export function rememberNetwork(person: { userId: string; network: string }): SqlStatement {
  return sql`
    insert into auth.known_networks as k (user_id, network)
    select u.id, ${person.network}
    from auth.users u
    where u.id = ${person.userId} and not exists (
      select from auth.known_networks fresh
      where fresh.user_id = u.id
        and fresh.network = ${person.network}
        and fresh.last_seen_at > now() - interval '1 day'
    )
    on conflict (user_id, network) do update set last_seen_at = excluded.last_seen_at`
}
