/**
 * Tries to sign in (security.md AN-07). Each account has a count of its own for networks in which its owner has
 * signed in before: who guesses from elsewhere, from however many addresses, cannot lock the owner out.
 */
import { type SqlStatement, sql } from '#database/database.ts'
import { type Use, bucketKey } from './buckets.ts'
import { type Limit, signInsOfKnown, signInsOfNetwork, signInsOfStrangers } from './limits.ts'

/** Who tries, and from where. */
export type SignInAttempt = {
  /** As `readEmail` answers it; `null` is nobody, and shares one count. */
  readonly email: string | null
  readonly network: string
}

/** Takes a place of the account. `is_known` tells which of its two counts it was. */
export function takeOfAccount(attempt: SignInAttempt): SqlStatement<{
  is_known: boolean
  wait_seconds: number
}> {
  const [known, strangers] = [usesOfAccount(attempt, true), usesOfAccount(attempt, false)]
  return sql`
    select k.is_known,
      case when k.is_known
        then throttle.take(${bucketKey(known)}, ${known.limit.places}, ${known.limit.windowSeconds}, ${wait(known.limit)})
        else throttle.take(${bucketKey(strangers)}, ${strangers.limit.places}, ${strangers.limit.windowSeconds}, ${wait(strangers.limit)})
      end as wait_seconds
    from (
      select exists (
        select from auth.known_networks n
        join auth.users u on u.id = n.user_id
        where u.email = ${attempt.email} and n.network = ${attempt.network}
      ) as is_known
    ) as k`
}

/** What a try takes; all of it is handed back when the password was right. */
export function usesOf(attempt: SignInAttempt, isKnown: boolean): Use[] {
  return [usesOfAccount(attempt, isKnown), { limit: signInsOfNetwork, subject: attempt.network }]
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

function usesOfAccount({ email, network }: SignInAttempt, isKnown: boolean): Use {
  return isKnown
    ? { limit: signInsOfKnown, subject: `${email ?? ''} ${network}` }
    : { limit: signInsOfStrangers, subject: email ?? '' }
}

function wait({ waitSecondsMax }: Limit): number | null {
  return waitSecondsMax ?? null
}
