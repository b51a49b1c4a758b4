import { queryOptions } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backend, callAuth } from '#api/client.ts'
import { missingRowCode } from '#api/error-codes.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { unwrap } from '#api/unwrap.ts'

/** One of the customer's open sessions. */
export type OwnSession = Database['public']['Functions']['own_sessions']['Returns'][number]

export const ownSessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: async ({ signal }): Promise<OwnSession[]> => {
    const client = await backend()
    return unwrap(await client.rpc('own_sessions').abortSignal(signal))
  },
})

/** Ends a session. Also succeeds if the session has already ended. */
export async function endSession(id: string): Promise<void> {
  const client = await backend()
  try {
    unwrap(await client.rpc('end_session', { session_id: id }))
  } catch (error) {
    if (errorCode(error) !== missingRowCode) throw error
  }
}

export async function endOtherSessions(): Promise<void> {
  await callAuth((auth) => auth.signOut({ scope: 'others' }))
}
