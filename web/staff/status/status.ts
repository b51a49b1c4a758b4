import { queryOptions } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

/** Interval at which the page reads the state again, because pages do not receive live events about alarms. */
const rereadMs = 30_000

export const statusQuery = queryOptions({
  queryKey: ['bank-state'],
  refetchInterval: rereadMs,
  queryFn: async ({ signal }) => {
    const client = await backend()
    return unwrap(await client.rpc('read_bank_state').abortSignal(signal))
  },
})
