/** Reads the state of the bank. */
import { queryOptions } from '@tanstack/react-query'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'

/** Interval at which the page reads the state again. Alarms are not announced to pages. */
const rereadMs = 30_000

export const statusQuery = queryOptions({
  queryKey: ['bank-state'],
  refetchInterval: rereadMs,
  queryFn: async ({ signal }) => {
    const client = await backend()
    return unwrap(await client.rpc('read_bank_state').abortSignal(signal))
  },
})
