import { queryOptions } from '@tanstack/react-query'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

/**
 * Reads the customer's name as the bank verified it. The name is `null` while the customer's own name counts
 * (docs/decisions/0082).
 */
export const verifiedNameQuery = (userId: string) =>
  queryOptions({
    queryKey: ['verified-name', userId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const client = await backend()
      const rows = await client
        .from('account_holders')
        .select('full_name')
        .eq('user_id', userId)
        .abortSignal(signal)
      return unwrap(rows)[0]?.full_name ?? null
    },
  })
