/**
 * The rate limiter. The counts are stored in the database, so that all servers of a bank share them and a restart does
 * not reset them (docs/decisions/0023). Each use is counted before the limited work starts, so that concurrent requests
 * cannot exceed a limit.
 */
import { type Database, type ScopeSession, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import {
  type Origin,
  type Use,
  consumeAllStatement,
  consumeRefreshStatement,
  refundStatement,
  resetStatement,
} from './attempts.ts'
import { consumeSignInStatement, rememberNetwork, usesOf } from './sign-in-attempts.ts'

export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  /** Whole seconds. */
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('Too many requests.')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The rate limiter. Each `consume` method throws `TooManyRequests`. */
export type Throttle = {
  /** Consumes one use of each limit. If any of the limits is used up, consumes nothing. */
  readonly consume: (uses: readonly Use[], options?: ConsumeOptions) => Promise<void>
  readonly refund: (uses: readonly Use[]) => Promise<void>
  /** Returns whether the account's owner has signed in from the network before. */
  readonly isKnown: (origin: Origin) => Promise<boolean>
  /**
   * Consumes the limits of a sign-in attempt before the password is compared. If the account's limit refuses an attempt
   * from an unknown network, the attempt still counts toward the network's limit.
   */
  readonly consumeSignIn: (attempt: Origin) => Promise<SignInAttempt>
  readonly consumeRefresh: (refresh: {
    readonly sessionId: string
    readonly network: string
  }) => Promise<void>
}

export type ConsumeOptions = {
  /**
   * The session of the request. If this session has ended or has not verified the user's second factor, nothing is
   * consumed (FZ401, 42501).
   */
  readonly session?: ScopeSession | null
  /** See `Use.isForUnknownNetworks`. */
  readonly origin?: Origin
}

/** A sign-in attempt that was counted. */
export type SignInAttempt = {
  /**
   * Called when the password was right. Refunds the attempt in all counts except the account's count of all sign-ins.
   * Also ends the back-off and remembers the network as known.
   */
  readonly succeeded: (userId: string) => Promise<void>
  /** Called if the password was not compared. Refunds the whole attempt. */
  readonly refund: () => Promise<void>
}

export function openThrottle(database: Database): Throttle {
  const scope = asService('supabase_auth_admin', 'write')
  const refund = async (uses: readonly Use[]) => {
    await database.transaction(scope, uses.map(refundStatement))
  }
  return {
    async consume(uses, { session = null, origin } = {}) {
      const [[answer]] = await database.transaction({ ...scope, session }, [
        consumeAllStatement(uses, origin),
      ])
      throwIfLimited([answer?.wait_seconds ?? 0])
    },
    refund,
    async isKnown({ email, network }) {
      const [[answer]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
        sql<{ is_known: boolean }>`select auth.is_known_network(${email}, ${network}) as is_known`,
      ])
      return answer?.is_known ?? false
    },
    async consumeSignIn(attempt) {
      const [[consumed]] = await database.transaction(scope, [consumeSignInStatement(attempt)])
      throwIfLimited([
        consumed?.wait_seconds ?? 0,
        consumed?.account_wait_seconds ?? 0,
        consumed?.network_wait_seconds ?? 0,
      ])
      const { refunded, kept } = usesOf(attempt, consumed?.is_known ?? false)
      return {
        async succeeded(userId) {
          await database.transaction(scope, [
            ...refunded.map(resetStatement),
            rememberNetwork({ userId, network: attempt.network }),
          ])
        },
        refund: () => refund([...refunded, kept]),
      }
    },
    async consumeRefresh(refresh) {
      const [[answer]] = await database.transaction(scope, [consumeRefreshStatement(refresh)])
      throwIfLimited([answer?.wait_seconds ?? 0])
    },
  }
}

/** A throttle without limits, for load tests on a loopback address (`AUTH_RATE_LIMITS=off`). */
export const unlimited: Throttle = {
  consume: () => Promise.resolve(),
  refund: () => Promise.resolve(),
  isKnown: () => Promise.resolve(false),
  consumeSignIn: () =>
    Promise.resolve({
      succeeded: () => Promise.resolve(),
      refund: () => Promise.resolve(),
    }),
  consumeRefresh: () => Promise.resolve(),
}

function throwIfLimited(waits: readonly number[]): void {
  const longest = Math.max(0, ...waits)
  if (longest > 0) throw new TooManyRequests(longest)
}
