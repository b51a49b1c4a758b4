import { queryOptions } from '@tanstack/react-query'
import { backend, callAuth } from '#backend/client.ts'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { unwrap } from '#backend/unwrap.ts'

/** One sign-in of the customer's that is alive. Times are ISO 8601. */
export type OwnSession = {
  id: string
  is_present: boolean
  began_at: string
  /** When it last asked for a token. */
  last_used_at: string
  user_agent: string | null
  /** A network address; `null` where it is not known. */
  network: string | null
}

export const ownSessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: async ({ signal }): Promise<OwnSession[]> => {
    const client = await backend()
    return unwrap(
      await client.rpc('own_sessions').abortSignal(signal).overrideTypes<OwnSession[], { merge: false }>(),
    )
  },
})

/** Ends one; one that has ended meanwhile is as it should be. */
export async function endSession(id: string): Promise<void> {
  const client = await backend()
  try {
    unwrap(await client.rpc('end_session', { session_id: id }))
  } catch (error) {
    if (errorCode(error) !== 'PT404') throw error
  }
}

export async function endOtherSessions(): Promise<void> {
  await callAuth((auth) => auth.signOut({ scope: 'others' }))
}
