/** Refreshes, counted by session: neighbours behind one address do not use up each other's. */
import { type SqlStatement, sql } from '#database/database.ts'
import { bucketKey } from './buckets.ts'
import { refreshesOfNetwork, refreshesOfSession } from './limits.ts'

/** The session that a token of ours names, and the network that sent it. */
export type RefreshOf = { readonly sessionId: string; readonly network: string }

/** Takes a place; answers 0, or in how many seconds there is one. */
export function takeRefreshStatement({ sessionId, network }: RefreshOf): SqlStatement<{
  wait_seconds: number
}> {
  const ofSession = { limit: refreshesOfSession, subject: sessionId }
  const ofNetwork = { limit: refreshesOfNetwork, subject: network }
  return sql`
    select case when exists (select from auth.sessions s where s.id = ${sessionId})
      then throttle.take(${bucketKey(ofSession)}, ${refreshesOfSession.places}, ${refreshesOfSession.windowSeconds})
      else throttle.take(${bucketKey(ofNetwork)}, ${refreshesOfNetwork.places}, ${refreshesOfNetwork.windowSeconds})
    end as wait_seconds`
}
