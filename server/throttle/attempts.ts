/** SQL statements that use the table `private.attempts`, which has one row for each limit and subject. */
import { createHash } from 'node:crypto'
import { type SqlStatement, sql } from '#database/database.ts'
import type { LimitName } from './limits.ts'

/** One use of a limit, and the subject that is counted: an account, a session or a network. */
export type Use = {
  readonly limit: LimitName
  readonly subject: string
  /** True if the use is counted only when the account's owner has never signed in from the requesting network. */
  readonly isForUnknownNetworks?: true
}

/** The account in a request, and the network from which the request comes. */
export type Origin = {
  /** The address that `readEmail` returned; all malformed addresses (`null`) share one count. */
  readonly email: string | null
  readonly network: string
}

/**
 * Consumes one use of each limit and returns 0. If any of the limits is used up, consumes nothing and returns the
 * number of seconds to wait.
 */
export function consumeAllStatement(
  uses: readonly Use[],
  origin: Origin | null = null,
): SqlStatement<{ wait_seconds: number }> {
  if (origin === null) return sql`select private.attempt_all(${parametersOf(uses)}) as wait_seconds`
  const inKnownNetwork = uses.filter(({ isForUnknownNetworks }) => isForUnknownNetworks !== true)
  const { email, network } = origin
  return sql`
    select private.attempt_all(
      case when auth.is_known_network(${email}, ${network})
        then ${parametersOf(inKnownNetwork)}::jsonb else ${parametersOf(uses)}::jsonb
      end
    ) as wait_seconds`
}

/**
 * Counts a refresh per session, so that users behind the same IP address do not share a limit. If the session does not
 * exist, counts the refresh for the network instead.
 */
export function consumeRefreshStatement({
  sessionId,
  network,
}: {
  readonly sessionId: string
  readonly network: string
}): SqlStatement<{ wait_seconds: number }> {
  const perSession = { limit: 'refresh of a session', subject: sessionId } as const
  const perNetwork = { limit: 'refresh from a network', subject: network } as const
  return sql`
    select case when exists (select from auth.sessions s where s.id = ${sessionId})
      then private.attempt(${perSession.limit}, ${keyOf(perSession)})
      else private.attempt(${perNetwork.limit}, ${keyOf(perNetwork)})
    end as wait_seconds`
}

/** Refunds one use. Does not shorten the waiting time of a back-off. */
export function refundStatement(use: Use): SqlStatement {
  return sql`select private.refund_attempt(${keyOf(use)})`
}

/** Refunds one use after a success and ends the back-off. */
export function resetStatement(use: Use): SqlStatement {
  return sql`select private.end_attempts(${use.limit}, ${keyOf(use)})`
}

/** Returns the row's key as a hash, so that the table contains neither e-mail addresses nor networks. */
export function keyOf({ limit, subject }: Use): string {
  return createHash('sha256').update(`${limit}\n${subject}`).digest('base64url')
}

function parametersOf(uses: readonly Use[]): string {
  return JSON.stringify(uses.map((use) => ({ limit_name: use.limit, key: keyOf(use) })))
}
