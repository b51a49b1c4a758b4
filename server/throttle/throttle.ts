/**
 * Counts who asks how often, in the database, so that all servers of a bank count together and a restart
 * forgets nothing (docs/decisions/0023). Places are taken before the work that they bound: a thousand
 * requests at once are a thousand, not one that was counted too late.
 */
import type { Database } from '#database/database.ts'
import type { ScopeSession } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type Origin, type Use, forgiveStatement, giveBackStatement, takeEachStatement } from './buckets.ts'
import { type RefreshOf, takeRefreshStatement } from './refreshes.ts'
import { rememberNetwork, takeSignInStatement, usesOf } from './sign-in-attempts.ts'

/** Somebody asked too often. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  /** When there is a place again, in whole seconds. */
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('Too many requests.')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Every `take` throws `TooManyRequests` with the wait. */
export type Throttle = {
  /** Takes a place of each; whoever is refused by one has taken none of the others. */
  readonly take: (uses: readonly Use[], by?: TakenBy) => Promise<void>
  /** Makes a place of each free again. */
  readonly handBack: (uses: readonly Use[]) => Promise<void>
  /**
   * Takes the places of a try to sign in, before the password is looked at. Answers how to say what became of it.
   * The network's place stays taken where the account's refuses: that is a try too.
   */
  readonly takeSignIn: (attempt: Origin) => Promise<TakenSignIn>
  /** Takes a place of the session, or of the network where there is no such session. */
  readonly takeRefresh: (refresh: RefreshOf) => Promise<void>
}

/** For whom places are taken. */
export type TakenBy = {
  /** The session in whose name they are: one that is over, or has not shown its second factor, takes none (FZ401, 42501). */
  readonly session?: ScopeSession | null
  /** Whom they are about, and from where; see `Use.isOfStrangers`. */
  readonly origin?: Origin
}

/** A try to sign in that was counted. */
export type TakenSignIn = {
  /** The password was right: the places are free, waits are over, and the network is the person's. */
  readonly succeeded: (userId: string) => Promise<void>
  /** Nobody looked at the password: the places are free. */
  readonly handBack: () => Promise<void>
}

/** The throttle of a bank that serves people. */
export function openThrottle(database: Database): Throttle {
  const scope = asService('supabase_auth_admin', 'write')
  const handBack = async (uses: readonly Use[]) => {
    await database.transaction(scope, uses.map(giveBackStatement))
  }
  return {
    async take(uses, { session = null, origin } = {}) {
      const [[answer]] = await database.transaction({ ...scope, session }, [takeEachStatement(uses, origin)])
      refuseWhoMustWait([answer?.wait_seconds ?? 0])
    },
    handBack,
    async takeSignIn(attempt) {
      const [[taken]] = await database.transaction(scope, [takeSignInStatement(attempt)])
      refuseWhoMustWait([taken?.wait_seconds ?? 0, taken?.network_wait_seconds ?? 0])
      const uses = usesOf(attempt, taken?.is_known ?? false)
      return {
        async succeeded(userId) {
          await database.transaction(scope, [
            ...uses.map(forgiveStatement),
            rememberNetwork({ userId, network: attempt.network }),
          ])
        },
        handBack: () => handBack(uses),
      }
    },
    async takeRefresh(refresh) {
      const [[answer]] = await database.transaction(scope, [takeRefreshStatement(refresh)])
      refuseWhoMustWait([answer?.wait_seconds ?? 0])
    },
  }
}

/** For load tests, on a loopback address (`AUTH_RATE_LIMITS=off`). */
export const unlimited: Throttle = {
  take: () => Promise.resolve(),
  handBack: () => Promise.resolve(),
  takeSignIn: () =>
    Promise.resolve({ succeeded: () => Promise.resolve(), handBack: () => Promise.resolve() }),
  takeRefresh: () => Promise.resolve(),
}

function refuseWhoMustWait(waits: readonly number[]): void {
  const longest = Math.max(0, ...waits)
  if (longest > 0) throw new TooManyRequests(longest)
}
