/**
 * Tries to sign in (security.md AN-07). Each account has a count of its own for networks in which its owner has
 * signed in before, and nothing else is counted there: neither who guesses from elsewhere, from however many
 * addresses, nor who guesses at others behind the same address can lock the owner out.
 */
import { type SqlStatement, sql } from '#database/database.ts'
import { type Origin, type Use, bucketKey } from './buckets.ts'
import { type Limit, signInsOfKnown, signInsOfNetwork, signInsOfStrangers } from './limits.ts'

/** Takes the places of a try. `is_known` tells which of its counts they were; the waits are 0 where there was a place. */
export function takeSignInStatement(attempt: Origin): SqlStatement<{
  is_known: boolean
  wait_seconds: number
  network_wait_seconds: number
}> {
  const [known] = usesOf(attempt, true)
  const [stranger, ofNetwork] = usesOf(attempt, false)
  return sql`
    select k.is_known,
      case when k.is_known
        then throttle.take(${bucketKey(known)}, ${known.limit.places}, ${known.limit.windowSeconds}, ${wait(known.limit)})
        else throttle.take(${bucketKey(stranger)}, ${stranger.limit.places}, ${stranger.limit.windowSeconds}, ${wait(stranger.limit)})
      end as wait_seconds,
      case when k.is_known
        then 0
        else throttle.take(${bucketKey(ofNetwork)}, ${ofNetwork.limit.places}, ${ofNetwork.limit.windowSeconds}, ${wait(ofNetwork.limit)})
      end as network_wait_seconds
    from (select throttle.is_known(${attempt.email}, ${attempt.network}) as is_known) as k`
}

/** What a try takes; all of it is handed back when the password was right. */
export function usesOf({ email, network }: Origin, isKnown: true): [Use]
export function usesOf({ email, network }: Origin, isKnown: false): [Use, Use]
export function usesOf({ email, network }: Origin, isKnown: boolean): Use[]
export function usesOf({ email, network }: Origin, isKnown: boolean): Use[] {
  return isKnown
    ? [{ limit: signInsOfKnown, subject: `${email ?? ''} ${network}` }]
    : [
        { limit: signInsOfStrangers, subject: email ?? '' },
        { limit: signInsOfNetwork, subject: network },
      ]
}

/** From now on the network is one of the person's. Kept to the day: more writes would wait for the disk more often. */
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

function wait({ waitSecondsMax }: Limit): number | null {
  return waitSecondsMax ?? null
}
