/**
 * Sign-in attempts (security.md AN-07). Each account has a count of its own for networks in which its owner has signed in
 * before, and nothing else counts there: neither guesses from elsewhere, from however many addresses, nor guesses at
 * other accounts behind the same address can lock the owner out.
 */
import { type SqlStatement, sql } from '#database/database.ts'
import { type Origin, type Use, bucketKey } from './buckets.ts'
import { signInsFromKnownNetwork, signInsFromUnknownNetwork, signInsPerNetwork } from './limits.ts'

/** `is_known` tells which of the two sets of limits was consumed; the waits are 0 where there was capacity. */
export function consumeSignInStatement(attempt: Origin): SqlStatement<{
  is_known: boolean
  wait_seconds: number
  network_wait_seconds: number
}> {
  const { known, unknown, network } = possibleUsesOf(attempt)
  const { capacity, windowSeconds } = network.limit
  return sql`
    select k.is_known,
      case when k.is_known
        then throttle.consume(
          ${bucketKey(known)}, ${known.limit.capacity}, ${known.limit.windowSeconds}, ${known.limit.waitSecondsMax ?? null})
        else throttle.consume(
          ${bucketKey(unknown)}, ${unknown.limit.capacity}, ${unknown.limit.windowSeconds}, ${unknown.limit.waitSecondsMax ?? null})
      end as wait_seconds,
      case when k.is_known
        then 0
        else throttle.consume(${bucketKey(network)}, ${capacity}, ${windowSeconds}, null)
      end as network_wait_seconds
    from (select throttle.is_known(${attempt.email}, ${attempt.network}) as is_known) as k`
}

/** What an attempt consumes; all of it is refunded when the password was right. */
export function usesOf(attempt: Origin, isKnown: boolean): Use[] {
  const { known, unknown, network } = possibleUsesOf(attempt)
  return isKnown ? [known] : [unknown, network]
}

function possibleUsesOf({ email, network }: Origin) {
  return {
    known: { limit: signInsFromKnownNetwork, subject: `${email ?? ''} ${network}` },
    unknown: { limit: signInsFromUnknownNetwork, subject: email ?? '' },
    network: { limit: signInsPerNetwork, subject: network },
  } satisfies Record<string, Use>
}

/** Adds the network to the known ones. Accurate to the day: more writes would wait for the disk more often. */
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
