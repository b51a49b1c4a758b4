import { queryOptions } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

/** Reads the signed-in administrator's acts of today, and the unanswered invitations. */
export const dayQuery = queryOptions({
  queryKey: ['day of staff'],
  queryFn: async ({ signal }) => {
    const client = await backend()
    return unwrap(await client.rpc('read_day_of_staff', undefined, { get: true }).abortSignal(signal))
  },
})
